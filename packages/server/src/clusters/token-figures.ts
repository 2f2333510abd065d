import {
  type Address,
  formatRatio,
  LIVE_DIGITS,
  type Logger,
  mulRatio,
  ONE_SF,
  type Ratio,
  ratio,
  ratioOfUnits,
} from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import {
  choosePricePerMint,
  currentPrices,
  isStalePrice,
  selectListedReserves,
} from '@tidegate/core/views/lending';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import {
  type MovedValue,
  readLendingMoves,
  readRecordedDay,
  readVaultMoves,
} from '../history/queries/token-volumes.ts';
import { PeriodicValue } from './periodic-value.ts';
import type { Cluster, TokenFigure, TokenFigureReader } from './served-clusters.ts';
import { listUsedTokens } from './used-tokens.ts';

export type TokenFiguresOptions = Pick<Cluster, 'reader' | 'registry' | 'readAccounts'> & {
  /** Undefined if no history is recorded. */
  readonly history: HistoryReader | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
};

type Figures = ReadonlyMap<Address, number>;

/** Computed in the background, so that requests wait neither for the database nor for the cluster. */
export class TokenFigures implements TokenFigureReader {
  readonly #volumes: PeriodicValue<Figures>;
  readonly #marketCaps: PeriodicValue<Figures>;

  constructor(options: TokenFiguresOptions) {
    const { clock, log } = options;
    this.#volumes = new PeriodicValue({
      compute: () => countVolumes(options),
      name: 'volumes of tokens',
      clock,
      log,
    });
    this.#marketCaps = new PeriodicValue({
      compute: () => computeMarketCaps(options),
      name: 'market caps of tokens',
      clock,
      log,
    });
  }

  find = (mint: Address): TokenFigure => ({
    tradingVolume24H: this.#volumes.current()?.get(mint) ?? null,
    marketCapUsd: this.#marketCaps.current()?.get(mint) ?? null,
  });

  version = (): number => this.#volumes.version() + this.#marketCaps.version();

  /** Call it often, after state is loaded. */
  async refreshIfStale(): Promise<void> {
    await Promise.all([this.#volumes.refreshIfStale(), this.#marketCaps.refreshIfStale()]);
  }
}

/** USD by mint of every used token whose movements all have a price. Undefined if events of the 24 hours are missing. */
async function countVolumes({
  history,
  reader,
  registry,
}: TokenFiguresOptions): Promise<Figures | undefined> {
  if (history === undefined) return undefined;
  const window = await readRecordedDay(history, reader.at().unix);
  if (window === undefined) return undefined;
  const lending = await readLendingMoves(history, window);
  const vaults = (await readVaultMoves(history, window)).map((move) => ({
    ...move,
    subject: move.subject && reader.vault(move.subject)?.fields.tokenMint,
  }));
  const byMint = sumByMint([...lending, ...vaults]);
  if (byMint === undefined) return undefined;
  const volumes = new Map<Address, number>();
  for (const [mint, { decimals }] of listUsedTokens({ reader, registry })) {
    const { valueSf, isPriced } = byMint.get(mint) ?? { valueSf: 0n, isPriced: true };
    if (isPriced) volumes.set(mint, toNumber(ratio(valueSf, ONE_SF * 10n ** BigInt(decimals))));
  }
  return volumes;
}

/** Undefined if a movement cannot be attributed to a token, so that no sum is complete. */
function sumByMint(moves: readonly MovedValue[]): ReadonlyMap<Address, MovedValue> | undefined {
  const sums = new Map<Address, MovedValue>();
  for (const move of moves) {
    if (move.subject === undefined) return undefined;
    const sum = sums.get(move.subject);
    sums.set(move.subject, {
      subject: move.subject,
      valueSf: move.valueSf + (sum?.valueSf ?? 0n),
      isPriced: move.isPriced && (sum?.isPriced ?? true),
    });
  }
  return sums;
}

/** Bytes of a mint account that are read: with extensions it may be longer. */
const MAX_MINT_BYTES = 4_096;

/**
 * Supply times price in USD by mint. Only tokens of listed markets with a valid price. The mint of wrapped SOL does not
 * have the supply of SOL.
 */
async function computeMarketCaps(options: TokenFiguresOptions): Promise<Figures> {
  const mints = [...pricesOf(options).keys()].filter((mint) => mint !== WRAPPED_SOL_MINT);
  const { accounts } = await options.readAccounts(mints, undefined, MAX_MINT_BYTES);
  const prices = pricesOf(options);
  const marketCaps = new Map<Address, number>();
  for (const mint of mints) {
    const account = accounts.get(mint);
    const price = prices.get(mint);
    if (account === undefined || price === undefined || !mintLayout.matches(account)) continue;
    const { supply, decimals } = mintLayout.view(account);
    marketCaps.set(mint, toNumber(mulRatio(ratioOfUnits(supply, BigInt(decimals)), price)));
  }
  return marketCaps;
}

/** USD per whole token. Leaves out prices that are older than their reserve accepts. */
function pricesOf({ reader, registry }: TokenFiguresOptions): ReadonlyMap<Address, Ratio> {
  const prices = choosePricePerMint({
    listedReserves: () => selectListedReserves({ reader, registry }),
    ...currentPrices(reader),
  });
  return new Map(
    prices.filter((price) => !isStalePrice(price)).map(({ mint, price }) => [mint, price]),
  );
}

const toNumber = (value: Ratio): number => Number(formatRatio(value, LIVE_DIGITS));

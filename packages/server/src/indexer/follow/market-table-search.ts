import { type Address, formatError, type Logger, ZERO_ADDRESS } from '@tidegate/core/base';
import { lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import { usableLookupAddresses } from '@tidegate/core/protocol/spl';
import { addressLookupTable } from '@tidegate/core/protocol/spl/layout';
import { listUsedLookupTables } from '@tidegate/core/protocol/spl/transaction';
import type { ClusterState } from '@tidegate/core/state';
import { backoffMs } from '../../chain/retry.ts';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { CodedError } from '../../errors.ts';

type MarketTableSearchOptions = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** Called when `tables` has changed. */
  readonly onChange: () => void;
};

type SearchedMarket = {
  table: Address | undefined;
  searches: number;
  /** Not searched again before this time. */
  nextAt: number;
};

/** Recent transactions of a market that are listed, and those of them that are read. */
const MAX_LISTED = 50;
const MAX_TRANSACTIONS = 12;
const MAX_TABLES = 24;
/** Pauses before a market is searched again. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 6 * 60 * 60_000;

/**
 * Finds lookup tables of markets that have none in the registry, among the tables of their recent transactions. Anyone
 * can create a table and use it, which is harmless: entries of a table never change, a build selects them by the
 * addresses that it needs, and a deactivated table is not used.
 */
export class MarketTableSearch {
  readonly #options: MarketTableSearchOptions;
  readonly #markets = new Map<Address, SearchedMarket>();
  readonly #queue = new Set<Address>();
  #isRunning = false;
  #isStopped = false;

  constructor(options: MarketTableSearchOptions) {
    this.#options = options;
  }

  /** All tables that were found. */
  tables(): Address[] {
    return [...this.#markets.values()].flatMap(({ table }) => table ?? []);
  }

  /** The tables that were found, by market. */
  found(): (readonly [market: Address, table: Address])[] {
    return [...this.#markets].flatMap(([market, { table }]) =>
      table === undefined ? [] : [[market, table] as const],
    );
  }

  /** The table that was found for a market, unless it can no longer be used. */
  tableOf(market: Address): Address | undefined {
    const table = this.#markets.get(market)?.table;
    if (table === undefined) return undefined;
    const { state } = this.#options;
    const stored = state.lookupTable(table);
    const isUsable = stored && usableLookupAddresses(stored.fields, state.at().slot).length > 0;
    return isUsable ? table : undefined;
  }

  /** Searches in the background, one market after the other. Does nothing if it was done recently. */
  request(market: Address): void {
    const { state, clock } = this.#options;
    const known = this.#markets.get(market);
    if (known !== undefined && clock() < known.nextAt) return;
    if (state.market(market) === undefined || this.tableOf(market) !== undefined) return;
    this.#queue.add(market);
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#queue.clear();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (const market of this.#queue) {
        await this.#search(market);
        this.#queue.delete(market);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #search(market: Address): Promise<void> {
    const { clock, random, log, onChange } = this.#options;
    const known = this.#markets.get(market);
    const searched = known ?? { table: undefined, searches: 0, nextAt: 0 };
    const before = searched.table;
    try {
      searched.table = await this.#findTable(market);
      log.debug({ market, table: searched.table }, 'lookup table searched');
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      log.debug({ market, error: formatError(error) }, 'lookup table search failed');
    }
    if (this.#isStopped) return;
    const pause = { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, random };
    searched.nextAt = clock() + backoffMs(pause, searched.searches);
    searched.searches += 1;
    this.#markets.set(market, searched);
    if (searched.table !== before) onChange();
  }

  /** The table with the most addresses that builds in the market need; the market and a reserve are among them. */
  async #findTable(market: Address): Promise<Address | undefined> {
    const { source, state } = this.#options;
    const candidates = await this.#listCandidates(market);
    if (candidates.length === 0) return undefined;
    const { slot, accounts } = await source.getAccounts(candidates);
    const needed = neededAddresses(state, market);
    const reserves = new Set(state.reservesOf(market).map(({ address }) => address));
    let best = { table: undefined as Address | undefined, held: 0 };
    for (const [i, table] of candidates.entries()) {
      const account = accounts[i];
      if (account === undefined || !addressLookupTable.matches(account)) continue;
      const held = new Set(usableLookupAddresses(addressLookupTable.decode(account), slot));
      if (!held.has(market) || !hasAny(held, reserves)) continue;
      const count = [...held].filter((address) => needed.has(address)).length;
      if (count > best.held) best = { table, held: count };
    }
    return best.table;
  }

  /** Tables of recent transactions, most frequent first. */
  async #listCandidates(market: Address): Promise<Address[]> {
    const { ledger } = this.#options.source;
    const listed = await ledger.listSignatures({ address: market, limit: MAX_LISTED });
    const signatures = listed.filter(({ failed }) => !failed).map(({ signature }) => signature);
    const transactions = await ledger.getTransactions(signatures.slice(0, MAX_TRANSACTIONS));
    const uses = new Map<Address, number>();
    for (const table of transactions.flatMap(tablesOf)) uses.set(table, (uses.get(table) ?? 0) + 1);
    return [...uses]
      .sort(([, a], [, b]) => b - a)
      .map(([table]) => table)
      .slice(0, MAX_TABLES);
  }
}

/** Empty for transactions that are unknown or of a newer form. */
function tablesOf(transaction: unknown): readonly Address[] {
  if (transaction === undefined) return [];
  try {
    return listUsedLookupTables(transaction);
  } catch (error) {
    if (error instanceof CodedError) return [];
    throw error;
  }
}

function neededAddresses(state: ClusterState, market: Address): ReadonlySet<Address> {
  const program = state.market(market)?.program;
  const needed = new Set([market, lendingMarketAuthority(market, program)]);
  for (const { address, fields } of state.reservesOf(market)) {
    const { liquidity, collateral, config, farmCollateral, farmDebt } = fields;
    needed.add(address);
    needed.add(liquidity.mintPubkey).add(liquidity.supplyVault).add(liquidity.feeVault);
    needed.add(collateral.mintPubkey).add(collateral.supplyVault);
    needed.add(config.tokenInfo.scopeConfiguration.priceFeed);
    needed.add(farmCollateral).add(farmDebt);
  }
  needed.delete(ZERO_ADDRESS);
  return needed;
}

const hasAny = (held: ReadonlySet<Address>, reserves: ReadonlySet<Address>): boolean =>
  [...reserves].some((address) => held.has(address));

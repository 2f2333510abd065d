import {
  type Address,
  addRatio,
  divRatioOrZero,
  formatRatio,
  LIVE_DIGITS,
  type Ratio,
  ratioOfSf,
  toAddress,
  U64_MAX,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type MarketSnapshot,
  type ReserveSnapshot,
  reservePriceAge,
  selectListedReserves,
  snapshotMarket,
  stalePriceAges,
  viewLoan,
} from '@tidegate/core/views/lending';
import {
  computeVaultSnapshot,
  createVaultViewContext,
  type VaultViewContext,
  vaultWithdrawable,
  viewVaultMetrics,
} from '@tidegate/core/views/vaults';
import type { HookTrigger } from '../clusters/cluster-hooks.ts';
import type { Cluster } from '../clusters/served-clusters.ts';
import { CodedError } from '../errors.ts';

/** What the value is of, as it is in a payload. */
export type Measured = {
  readonly subject: Address;
  readonly value: Ratio;
  readonly unit: 'fraction' | 'tokens' | 'USD';
  readonly details: Readonly<Record<string, string>>;
  /** Of the prices that the value is computed with, those older than the limit of their reserve. */
  readonly stalePrices: readonly StalePrice[];
};

type StalePrice = { readonly mint: Address; readonly ageSeconds: number };

export type MeasuredCluster = Pick<Cluster, 'env' | 'commitment' | 'reader' | 'registry'>;

/** Computes the values of triggers from one version of the state. Do not hold it across an await. */
export type Measurer = (trigger: HookTrigger) => readonly Measured[];

export function createMeasurer({ reader, registry }: MeasuredCluster): Measurer {
  const markets = new Map<Address, MarketSnapshot | undefined>();
  const marketOf = (address: Address): MarketSnapshot | undefined => {
    if (!markets.has(address)) markets.set(address, readMarket(reader, address));
    return markets.get(address);
  };
  let pricing: VaultViewContext | undefined;
  const vaultContext = (): VaultViewContext => {
    pricing ??= createVaultViewContext(reader, () => selectListedReserves({ reader, registry }));
    return pricing;
  };
  return (trigger) => {
    switch (trigger.type) {
      case 'loanHealth':
        return loansOf(trigger, reader).flatMap((loan) =>
          available(() => measureLoan(trigger, loan, marketOf)),
        );
      case 'vaultApy':
      case 'vaultLiquidity':
        return available(() => measureVault(trigger, reader, vaultContext()));
      case 'reservePrice':
      case 'reserveCap':
        return available(() => measureReserve(trigger, reader, marketOf));
      case 'liquidation':
      case 'walletTransactions':
      case 'programUpgraded':
        return [];
    }
  };
}

/** A figure that cannot be computed now is not compared: no crossing is reported from data that is missing. */
function available(measure: () => Measured | undefined): Measured[] {
  try {
    const measured = measure();
    return measured === undefined ? [] : [measured];
  } catch (error) {
    if (error instanceof CodedError) return [];
    throw error;
  }
}

type Loan = NonNullable<ReturnType<ClusterReader['obligation']>>;

function loansOf({ obligation, wallet }: HookTrigger, reader: ClusterReader): readonly Loan[] {
  if (wallet !== undefined) return reader.obligationsOf(toAddress(wallet));
  const loan = reader.obligation(toAddress(obligation ?? ''));
  return loan === undefined ? [] : [loan];
}

type MarketLookup = (address: Address) => MarketSnapshot | undefined;

const MINUS_ONE: Ratio = { numerator: -1n, denominator: 1n };

/** Undefined for a debt without deposits, whose LTV has no value. */
function measureLoan(
  { metric = 'ltv' }: HookTrigger,
  obligation: Loan,
  marketOf: MarketLookup,
): Measured | undefined {
  const market = marketOf(obligation.fields.lendingMarket);
  if (market === undefined) return undefined;
  const loan = viewLoan(obligation, market);
  const { address, owner, currentLtv, liquidationLtv, stats, deposits, borrows } = loan;
  const { userTotalBorrowBorrowFactorAdjusted: debt, borrowLiquidationLimit: limit } = stats;
  const bound = metric === 'ltv' ? stats.userTotalDeposit : limit;
  if (bound === 0n && debt !== 0n) return undefined;
  const { numerator, denominator } = addRatio(
    divRatioOrZero(ratioOfSf(debt), ratioOfSf(limit)),
    MINUS_ONE,
  );
  return {
    subject: address,
    value: metric === 'ltv' ? currentLtv : { numerator: -numerator, denominator },
    unit: 'fraction',
    details: {
      metric,
      obligation: address,
      wallet: owner,
      market: market.address,
      ltv: format(currentLtv),
      liquidationLtv: format(liquidationLtv),
    },
    stalePrices: stalePricesOf(
      [...deposits, ...borrows].map(({ reserve }) => reserve),
      market,
    ),
  };
}

function measureVault(
  { type, vault: text = '' }: HookTrigger,
  reader: ClusterReader,
  pricing: VaultViewContext,
): Measured | undefined {
  const account = reader.vault(toAddress(text));
  if (account === undefined) return undefined;
  const vault = computeVaultSnapshot(account, pricing);
  const shared = {
    subject: vault.address,
    details: { metric: type, vault: vault.address, tokenMint: vault.fields.tokenMint },
    // yields and liquidity of a vault are in its token
    stalePrices: [],
  };
  return type === 'vaultApy'
    ? { ...shared, unit: 'fraction', value: viewVaultMetrics(vault, pricing).apyActual }
    : { ...shared, unit: 'tokens', value: vaultWithdrawable(vault, reader) };
}

function measureReserve(
  { type, cap, reserve: text = '' }: HookTrigger,
  reader: ClusterReader,
  marketOf: MarketLookup,
): Measured | undefined {
  const address = toAddress(text);
  const account = reader.reserve(address);
  const market = account === undefined ? undefined : marketOf(account.fields.lendingMarket);
  const reserve = market?.reserves.get(address);
  if (market === undefined || reserve === undefined) return undefined;
  const { mint, symbol, config, totalSupply, liquidity, exactPrice } = reserve;
  const details = { reserve: address, market: market.address, tokenMint: mint, symbol };
  if (type === 'reservePrice') {
    const metric = { metric: type, ...details };
    const stalePrices = stalePricesOf([reserve], market);
    return { subject: address, value: exactPrice, unit: 'USD', details: metric, stalePrices };
  }
  const used = ratioOfSf(cap === 'deposit' ? totalSupply : liquidity.borrowedAmountSf);
  const limit = cap === 'deposit' ? config.depositLimit : config.borrowLimit;
  // no limit, or a reserve that is closed: there is nothing to use
  if (limit === 0n || limit === U64_MAX) return undefined;
  return {
    subject: address,
    value: { numerator: used.numerator, denominator: used.denominator * limit },
    unit: 'fraction',
    details: { metric: `${cap ?? 'deposit'}Cap`, ...details },
    stalePrices: [],
  };
}

const stalePricesOf = (
  reserves: readonly ReserveSnapshot[],
  { at }: MarketSnapshot,
): StalePrice[] =>
  [...stalePriceAges(reserves.map((reserve) => reservePriceAge(reserve, at.unix)))].map(
    ([mint, seconds]) => ({ mint, ageSeconds: Number(seconds) }),
  );

function readMarket(reader: ClusterReader, address: Address): MarketSnapshot | undefined {
  const market = reader.market(address);
  if (market === undefined) return undefined;
  return snapshotMarket({
    market,
    reserves: reader.reservesOf(address),
    unreadable: reader.unreadable.ofKind('reserve', address),
    prices: (feed) => reader.prices(feed),
    at: reader.at(),
    slotMs: reader.slotMs(),
    rules: reader.rulesAt(reader.at().slot).lending,
  });
}

const format = (value: Ratio): string => formatRatio(value, LIVE_DIGITS);

/** Throws NOT_FOUND if the state has no account that the trigger names. */
export function requireSubject(trigger: HookTrigger, reader: ClusterReader): void {
  const { obligation, vault, reserve } = trigger;
  const require = (what: string, address: string | undefined, found: unknown) => {
    if (address !== undefined && found === undefined) {
      throw new CodedError('NOT_FOUND', { what, address });
    }
  };
  require('loan', obligation, obligation && reader.obligation(toAddress(obligation)));
  require('vault', vault, vault && reader.vault(toAddress(vault)));
  require('reserve', reserve, reserve && reader.reserve(toAddress(reserve)));
}

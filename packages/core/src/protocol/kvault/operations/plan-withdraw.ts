import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { floorSf, sfFromInt, subSf } from '../../../base/numbers/scaled-fraction.ts';
import { collateralToLiquidityCeil } from '../../klend/math/exact-ratio.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { findExchangeRate, type ReserveInvestment, type VaultHoldings } from '../math/holdings.ts';
import { type SharePool, sharesToBurn, worthOfShares } from '../math/shares.ts';
import {
  maxGrossAmount,
  minGrossAmount,
  netOfPenalty,
  type PenaltyRates,
  penaltyRates,
  withdrawalQuote,
} from '../math/withdrawal-quote.ts';
import { findReserveInvestment } from './allocations.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';
import {
  type SharesToRedeem,
  sharesToRedeem,
  type WithdrawEffects,
  withdrawFromVault,
} from './withdraw.ts';

export type WithdrawPlanRequest = SharesToRedeem & {
  /** The free liquidity of each reserve: available minus queued withdrawals. A reserve that is absent pays nothing. */
  readonly freeLiquidity: ReadonlyMap<Address, Lamports>;
};

/** One instruction. Without a reserve it uses only available tokens. */
export type WithdrawStep = {
  readonly reserve: Address | undefined;
  /** The argument of the instruction. U64_MAX withdraws all shares. */
  readonly shares: bigint;
  readonly effects: WithdrawEffects;
};

export type WithdrawPlan = {
  readonly steps: readonly WithdrawStep[];
  /** Requested shares that no step takes because of missing liquidity. */
  readonly unfilledShares: bigint;
  /** Requested shares that are not burned: unfilled shares and remainders below a lamport. */
  readonly unburnedShares: bigint;
};

/** The steps so far and the state after them, within one slot. */
type Progress = {
  readonly request: WithdrawPlanRequest;
  readonly terms: PenaltyRates;
  /** Whether the request is for all shares of the user. */
  readonly isFullExit: boolean;
  readonly steps: readonly WithdrawStep[];
  readonly vault: VaultState;
  readonly context: VaultContext;
  readonly unfilled: bigint;
  readonly unburned: bigint;
  /** Available tokens that only the rounding of earlier steps released: at another time it may release none. */
  readonly surplus: bigint;
};

/**
 * Plans the instructions that withdraw shares. Uses available tokens if they are sufficient, otherwise the reserves in
 * the order of their payout. The steps together take exactly the requested shares, and each step takes only what its
 * reserve can pay because the penalty applies to the full step. The time of the context should be the latest possible
 * execution time: the share price increases over time, but the free liquidity does not.
 */
export function planWithdraw(
  vault: VaultState,
  context: VaultContext,
  request: WithdrawPlanRequest,
): WithdrawPlan {
  const shares = sharesToRedeem(request);
  let progress: Progress = {
    request,
    terms: penaltyRates(vault, request.globalConfig),
    isFullExit: shares === request.sharesBalance,
    steps: [],
    vault,
    context,
    unfilled: shares,
    unburned: shares,
    surplus: 0n,
  };
  for (const reserve of payingReserves(progress)) {
    const choice = chooseStep(progress, reserve);
    if (choice !== undefined) progress = addStep(progress, choice);
    if (progress.unfilled === 0n) break;
  }
  const { steps, unfilled: unfilledShares, unburned: unburnedShares } = progress;
  return { steps, unfilledShares, unburnedShares };
}

/** The reserves to withdraw from, in order. Throws if the program would reject the full request. */
function payingReserves(progress: Progress): (Address | undefined)[] {
  const { holdings, pool } = currentHoldings(progress);
  const { net } = withdrawalQuote(pool, progress.terms, progress.unfilled);
  if (net <= holdings.available) return [undefined];
  const paying = holdings.invested
    .map((invested) => ({ reserve: invested.reserve, payout: payoutOf(progress, invested) }))
    .filter(({ payout }) => payout > 0n)
    .sort((a, b) => Number(b.payout > a.payout) - Number(a.payout > b.payout));
  return paying.length === 0 ? [undefined] : paying.map(({ reserve }) => reserve);
}

type StepChoice = Pick<WithdrawStep, 'reserve' | 'shares'> & {
  /** Whether the step takes all unfilled shares. */
  readonly last: boolean;
};

/**
 * Takes as much as the reserve can pay, but leaves enough for later steps to exceed the minimum payout. A full exit
 * requests all shares if that does not charge a penalty twice.
 */
function chooseStep(progress: Progress, reserve: Address | undefined): StepChoice | undefined {
  const { terms, isFullExit, steps, unfilled } = progress;
  const { holdings, pool } = currentHoldings(progress);
  const { minWithdrawAmount: minimum } = progress.vault;
  const netOf = (shares: bigint): bigint => netOfPenalty(pool, terms, shares).net;
  const invested = reserve === undefined ? undefined : findReserveInvestment(holdings, reserve);
  const fromReserve = invested === undefined ? 0n : payoutOf(progress, invested);
  const payable = holdings.available - progress.surplus + fromReserve;
  if (netOf(unfilled) <= payable) {
    if (steps.length > 0 && netOf(unfilled) <= minimum) return undefined;
    return { reserve, shares: isFullExit ? U64_MAX : unfilled, last: true };
  }
  if (isFullExit && payable > minimum && canBeEmptied(progress, invested)) {
    return { reserve, shares: U64_MAX, last: false };
  }
  const maxShares = sharesWorthAtMost(pool, maxGrossAmount(terms, payable));
  const reservedShares = sharesToBurn(pool, sfFromInt(minGrossAmount(terms, minimum + 1n)));
  const shares = smallest([maxShares, unfilled - reservedShares]);
  if (shares <= 0n || netOf(shares) <= minimum) return undefined;
  return { reserve, shares, last: false };
}

/** The maximum shares that are worth `lamports`, rounded down, without shares whose value rounds to zero. */
function sharesWorthAtMost(pool: SharePool, lamports: bigint): bigint {
  const tooMuch = sfFromInt(lamports + 1n) * pool.sharesIssued;
  const maxShares = (tooMuch - 1n) / pool.aum;
  return sharesToBurn(pool, sfFromInt(floorSf(worthOfShares(pool, maxShares))));
}

function currentHoldings({ vault, context }: Progress): {
  holdings: VaultHoldings;
  pool: SharePool;
} {
  const { vault: refreshed, holdings, aum } = refreshVault(vault, context);
  return { holdings, pool: { aum, sharesIssued: refreshed.sharesIssued } };
}

/**
 * The whole lamports that a reserve can certainly pay. A redemption can release more than it pays: the value of the
 * cToken that is used in part and, by the older rounding, of one more.
 */
function payoutOf(
  { context, request }: Progress,
  { reserve, liquidity }: ReserveInvestment,
): bigint {
  const exchange = findExchangeRate(context.exchanges, reserve);
  const surplusOf = (ctokens: bigint): bigint =>
    largest([collateralToLiquidityCeil(exchange, ctokens) - 1n, 1n]);
  const surplus = surplusOf(context.rules.withdrawRounding === 'exact' ? 1n : 2n);
  return largest([
    smallest([floorSf(liquidity) - surplusOf(1n), freeLiquidityOf(request, reserve) - surplus]),
    0n,
  ]);
}

const freeLiquidityOf = ({ freeLiquidity }: WithdrawPlanRequest, reserve: Address): bigint =>
  freeLiquidity.get(reserve) ?? 0n;

/** Without a penalty a step can request more than it pays if the reserve can pay the vault's full investment. */
function canBeEmptied(
  { terms, request }: Pick<Progress, 'terms' | 'request'>,
  invested: ReserveInvestment | undefined,
): boolean {
  if (invested === undefined || terms.bps > 0n || terms.lamports > 0n) return false;
  return floorSf(invested.liquidity) <= freeLiquidityOf(request, invested.reserve);
}

function addStep(progress: Progress, choice: StepChoice): Progress {
  const { reserve, shares, last } = choice;
  const { request, vault, context, unfilled, unburned, surplus } = progress;
  const { globalConfig } = request;
  const sharesBalance = request.sharesBalance - (sharesToRedeem(request) - unburned);
  const withdrawal = { shares, sharesBalance, reserve, globalConfig };
  const effects = withdrawFromVault(vault, context, withdrawal);
  const remainingUnburned = unburned - effects.sharesToBurn;
  const rest = progress.isFullExit ? remainingUnburned : unfilled - shares;
  const { investedLiquidityToDisinvest: released, investedLiquidityToSendToUser: paid } = effects;
  return {
    ...progress,
    steps: [...progress.steps, { reserve, shares, effects }],
    vault: effects.vault,
    context: reserve === undefined ? context : contextAfterRedemption(context, reserve, effects),
    unfilled: last ? 0n : rest,
    unburned: remainingUnburned,
    surplus: smallest([effects.vault.tokenAvailable, surplus + released - paid]),
  };
}

/** Updates the exchange rate after the redemption. The vault owns a part of its rounding gain. */
function contextAfterRedemption(
  context: VaultContext,
  reserve: Address,
  effects: WithdrawEffects,
): VaultContext {
  const { exchanges } = context;
  const { totalSupply, mintTotalSupply } = findExchangeRate(exchanges, reserve);
  const exchange = {
    totalSupply: subSf(totalSupply, sfFromInt(effects.investedLiquidityToDisinvest)),
    mintTotalSupply: mintTotalSupply - effects.investedToDisinvestCtokens,
  };
  return { ...context, exchanges: new Map([...exchanges, [reserve, exchange]]) };
}

const smallest = (values: readonly bigint[]): bigint =>
  values.reduce((least, each) => (each < least ? each : least));

const largest = (values: readonly bigint[]): bigint =>
  values.reduce((most, each) => (each > most ? each : most));

import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { floorSf, sfFromInt, subSf } from '../../../base/numbers/scaled-fraction.ts';
import { collateralToLiquidityCeil } from '../../klend/math/ctoken-exchange.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { findExchangeRate, type ReserveInvestment, type VaultHoldings } from '../math/holdings.ts';
import { type SharePool, sharesToBurn, worthOfShares } from '../math/shares.ts';
import {
  maxGrossAmount,
  minGrossAmount,
  type PenaltyRates,
  penaltyRates,
} from '../math/withdrawal-penalty.ts';
import { netOfPenalty, withdrawalQuote } from '../math/withdrawal-quote.ts';
import { findReserveInvestment } from './allocation.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';
import {
  type SharesToRedeem,
  sharesToRedeem,
  type WithdrawEffects,
  withdrawFromVault,
} from './withdraw-from-vault.ts';

export type WithdrawPlanRequest = SharesToRedeem & {
  /** What each reserve can pay out: its liquidity less that of queued withdrawals. One left out pays nothing. */
  readonly freeLiquidity: ReadonlyMap<Address, Lamports>;
};

/** One instruction: from the available tokens alone where it has no reserve. */
export type WithdrawStep = {
  readonly reserve: Address | undefined;
  /** The instruction's argument; the largest number for all that the user has. */
  readonly shares: bigint;
  readonly effects: WithdrawEffects;
};

export type WithdrawPlan = {
  readonly steps: readonly WithdrawStep[];
  /** Of the shares asked for, those that no leg takes: too little is at hand to pay for them. */
  readonly unfilledShares: bigint;
  /** Of the shares asked for, those that are not burned in the end: the unplaced, and rests below a lamport. */
  readonly unburnedShares: bigint;
};

/** The vault and its reserves as the legs so far leave them, within one slot. */
type Progress = {
  readonly vault: VaultState;
  readonly moment: VaultContext;
  readonly request: WithdrawPlanRequest;
  readonly terms: PenaltyRates;
  /** Everything the user has is asked for. */
  readonly exit: boolean;
  readonly unplaced: bigint;
  readonly unburned: bigint;
  readonly legs: readonly WithdrawStep[];
};

/**
 * The instructions that turn shares into tokens: the available tokens if they cover it, else one
 * reserve after the other, the one that can pay most first. The legs together take exactly the shares
 * asked for, and each no more than can be paid there, since the penalty is on all that a leg takes.
 * The moment should be the latest at which the transaction may run: shares grow dearer with time,
 * what a reserve has free does not grow with them.
 */
export function planWithdraw(
  vault: VaultState,
  moment: VaultContext,
  request: WithdrawPlanRequest,
): WithdrawPlan {
  const shares = sharesToRedeem(request);
  const terms = penaltyRates(vault, request.globalConfig);
  const exit = shares === request.sharesBalance;
  let progress: Progress = {
    vault,
    moment,
    request,
    terms,
    exit,
    unplaced: shares,
    unburned: shares,
    legs: [],
  };
  for (const reserve of sources(progress)) {
    const choice = chooseLeg(progress, reserve);
    if (choice !== undefined) progress = withLeg(progress, choice);
    if (progress.unplaced === 0n) break;
  }
  const { legs, unplaced, unburned } = progress;
  return { steps: legs, unfilledShares: unplaced, unburnedShares: unburned };
}

/** Where to take from, in order. Refuses what the program would refuse of the request as a whole. */
function sources(progress: Progress): (Address | undefined)[] {
  const { holdings, pool } = standing(progress);
  const { net } = withdrawalQuote(pool, progress.terms, progress.unplaced);
  if (net <= holdings.available) return [undefined];
  const paying = holdings.invested
    .map((invested) => ({ reserve: invested.reserve, payout: payoutOf(progress, invested) }))
    .filter(({ payout }) => payout > 0n)
    .sort((a, b) => Number(b.payout > a.payout) - Number(a.payout > b.payout));
  return paying.length === 0 ? [undefined] : paying.map(({ reserve }) => reserve);
}

type Choice = Pick<WithdrawStep, 'reserve' | 'shares'> & {
  /** It takes all that is still unplaced. */
  readonly last: boolean;
};

/**
 * As much as the reserve can pay, but never so much that the shares left for later legs are worth too
 * little to be paid out. A user who leaves takes "all" where that costs no penalty twice.
 */
function chooseLeg(progress: Progress, reserve: Address | undefined): Choice | undefined {
  const { vault, terms, exit, unplaced, legs } = progress;
  const { holdings, pool } = standing(progress);
  const { minWithdrawAmount: minimum } = vault;
  const netOf = (shares: bigint): bigint => netOfPenalty(pool, terms, shares).net;
  const invested = reserve === undefined ? undefined : findReserveInvestment(holdings, reserve);
  const payable = holdings.available + (invested === undefined ? 0n : payoutOf(progress, invested));
  if (netOf(unplaced) <= payable) {
    const refused = netOf(unplaced) <= minimum && legs.length > 0;
    return refused ? undefined : { reserve, shares: exit ? U64_MAX : unplaced, last: true };
  }
  if (exit && payable > minimum && canBeEmptied(progress, invested)) {
    return { reserve, shares: U64_MAX, last: false };
  }
  const most = sharesWorthAtMost(pool, maxGrossAmount(terms, payable));
  const keptBack = sharesToBurn(pool, sfFromInt(minGrossAmount(terms, minimum + 1n)));
  const shares = most < unplaced - keptBack ? most : unplaced - keptBack;
  const refused = shares <= 0n || netOf(shares) <= minimum;
  return refused ? undefined : { reserve, shares, last: false };
}

/** As many shares as are worth `lamports` rounded down, but none whose worth would round away. */
function sharesWorthAtMost(pool: SharePool, lamports: bigint): bigint {
  const tooMuch = sfFromInt(lamports + 1n) * pool.sharesIssued;
  const most = (tooMuch - 1n) / pool.aum;
  return sharesToBurn(pool, sfFromInt(floorSf(worthOfShares(pool, most))));
}

function standing({ vault, moment }: Progress): { holdings: VaultHoldings; pool: SharePool } {
  const { vault: refreshed, holdings, aum } = refreshVault(vault, moment);
  return { holdings, pool: { aum, sharesIssued: refreshed.sharesIssued } };
}

/**
 * Whole lamports that a reserve pays for sure. One is kept back, and as many more as redeeming can
 * give too much: the worth of a cToken that is only partly needed.
 */
function payoutOf(
  { moment, request }: Progress,
  { reserve, liquidity }: ReserveInvestment,
): bigint {
  const free = freeOf(request, reserve);
  const owned = floorSf(liquidity);
  const surplus = collateralToLiquidityCeil(findExchangeRate(moment.exchanges, reserve), 1n) - 1n;
  const payout = (owned < free ? owned : free) - (surplus > 1n ? surplus : 1n);
  return payout > 0n ? payout : 0n;
}

const freeOf = ({ freeLiquidity }: WithdrawPlanRequest, reserve: Address): bigint =>
  freeLiquidity.get(reserve) ?? 0n;

/** Without a penalty a leg may ask for more than it can pay, if the reserve can pay all the vault has there. */
function canBeEmptied(
  { terms, request }: Progress,
  invested: ReserveInvestment | undefined,
): boolean {
  if (invested === undefined || terms.bps > 0n || terms.lamports > 0n) return false;
  return floorSf(invested.liquidity) <= freeOf(request, invested.reserve);
}

function withLeg(progress: Progress, { reserve, shares, last }: Choice): Progress {
  const { vault, moment, request, exit, unplaced, unburned, legs } = progress;
  const { globalConfig } = request;
  const sharesBalance = request.sharesBalance - (sharesToRedeem(request) - unburned);
  const withdrawal = { shares, sharesBalance, reserve, globalConfig };
  const effects = withdrawFromVault(vault, moment, withdrawal);
  const stillUnburned = unburned - effects.sharesToBurn;
  const rest = exit ? stillUnburned : unplaced - shares;
  return {
    ...progress,
    vault: effects.vault,
    moment: reserve === undefined ? moment : redeemed(moment, reserve, effects),
    unplaced: last ? 0n : rest,
    unburned: stillUnburned,
    legs: [...legs, { reserve, shares, effects }],
  };
}

/** The reserve after the lending program has redeemed the cTokens; what rounding keeps there is partly the vault's. */
function redeemed(
  { exchanges, time }: VaultContext,
  reserve: Address,
  effects: WithdrawEffects,
): VaultContext {
  const { totalSupply, mintTotalSupply } = findExchangeRate(exchanges, reserve);
  const exchange = {
    totalSupply: subSf(totalSupply, sfFromInt(effects.investedLiquidityToDisinvest)),
    mintTotalSupply: mintTotalSupply - effects.investedToDisinvestCtokens,
  };
  return { exchanges: new Map([...exchanges, [reserve, exchange]]), time };
}

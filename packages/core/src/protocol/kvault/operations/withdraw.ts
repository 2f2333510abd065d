import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  floorSf,
  mulSfByRatioCeil,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { type CTokenExchangeRate, liquiditySfToCollateral } from '../../klend/math/exact-ratio.ts';
import { kvaultRejection } from '../errors.ts';
import type { GlobalConfigView } from '../layout/global-config.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { type Disinvestment, disinvestment, NO_DISINVESTMENT } from '../math/disinvestment.ts';
import { findExchangeRate } from '../math/holdings.ts';
import { type SharePool, sharesToBurn, worthOfShares } from '../math/shares.ts';
import {
  type PenaltyRates,
  penaltyOfGross,
  penaltyOfNet,
  penaltyRates,
  withdrawalQuote,
} from '../math/withdrawal-quote.ts';
import type { VaultRules } from '../releases.ts';
import { findAllocation, findReserveInvestment, withAllocation } from './allocations.ts';
import { type RefreshedVault, refreshVault, type VaultContext } from './refresh-vault.ts';

export type SharesToRedeem = {
  /** The argument of the instruction, capped at the balance. */
  readonly shares: bigint;
  readonly sharesBalance: bigint;
  readonly globalConfig: Pick<
    GlobalConfigView,
    'withdrawalPenaltyBps' | 'withdrawalPenaltyLamports'
  >;
};

export type VaultWithdrawal = SharesToRedeem & {
  /** Pays the rest after the available tokens. Without a reserve only available tokens are paid. */
  readonly reserve: Address | undefined;
};

/** The user receives `availableToSendToUser + investedLiquidityToSendToUser`. */
export type WithdrawEffects = {
  readonly vault: VaultState;
  readonly sharesToBurn: bigint;
  readonly availableToSendToUser: Lamports;
  readonly investedToDisinvestCtokens: bigint;
  /** The liquidity of the redeemed cTokens. */
  readonly investedLiquidityToDisinvest: Lamports;
  readonly investedLiquidityToSendToUser: Lamports;
  /** Its shares are burned, but it stays in the vault. */
  readonly withdrawalPenalty: Lamports;
};

/**
 * The instructions `withdraw`, `sell` and `withdrawFromAvailable`. Shares that cannot be paid are not burned, but the
 * penalty applies to the full request.
 */
export function withdrawFromVault(
  vault: VaultState,
  context: VaultContext,
  withdrawal: VaultWithdrawal,
): WithdrawEffects {
  const { reserve, globalConfig } = withdrawal;
  if (reserve !== undefined) findAllocation(vault, reserve);
  const shares = sharesToRedeem(withdrawal);
  const refreshed = refreshVault(vault, context);
  const { holdings, aum } = refreshed;
  const pool = { aum, sharesIssued: refreshed.vault.sharesIssued };
  const quote = withdrawalQuote(pool, penaltyRates(vault, globalConfig), shares);
  const available = holdings.available < quote.net ? holdings.available : quote.net;
  const fromReserve =
    reserve === undefined
      ? NO_DISINVESTMENT
      : disinvestment(
          findReserveInvestment(holdings, reserve),
          findExchangeRate(context.exchanges, reserve),
          { requested: quote.net - available, rules: context.rules },
        );
  const owed = addSf(sfFromInt(available), fromReserve.owed);
  const cost = sharesToBurn(pool, addSf(owed, sfFromInt(quote.penalty)));
  const burned = cost < shares ? cost : shares;
  checkPayout(vault, burned, floorSf(owed));
  return {
    vault: withdrawn(refreshed, { available, fromReserve, burned, owed, reserve }),
    sharesToBurn: burned,
    availableToSendToUser: available,
    investedToDisinvestCtokens: fromReserve.ctokens,
    investedLiquidityToDisinvest: fromReserve.released,
    investedLiquidityToSendToUser: fromReserve.paid,
    withdrawalPenalty: quote.penalty,
  };
}

/** The requested shares, capped at the balance. Throws for zero. */
export function sharesToRedeem({
  shares,
  sharesBalance,
}: Pick<SharesToRedeem, 'shares' | 'sharesBalance'>): bigint {
  const redeemed = shares < sharesBalance ? shares : sharesBalance;
  if (redeemed > 0n) return redeemed;
  throw kvaultRejection('CannotWithdrawZeroShares', 'the number of shares is zero');
}

function checkPayout({ minWithdrawAmount }: VaultState, burned: bigint, payout: bigint): void {
  if (burned === 0n) {
    throw kvaultRejection('WithdrawResultsInZeroShares', 'no liquidity is available', {
      unit: 'token',
      available: 0n,
    });
  }
  if (payout <= minWithdrawAmount) {
    const reason = `the payout of ${payout} does not exceed the minimum of ${minWithdrawAmount}`;
    throw kvaultRejection('WithdrawAmountBelowMinimum', reason, {
      unit: 'token',
      needed: minWithdrawAmount + 1n,
      available: payout,
      limit: minWithdrawAmount,
    });
  }
}

type Withdrawn = {
  readonly available: Lamports;
  readonly fromReserve: Disinvestment;
  readonly burned: bigint;
  readonly owed: Sf;
  readonly reserve: Address | undefined;
};

/** The penalty and rounding remainders stay, so the AUM decreases by less than the value of the shares. */
function withdrawn(
  { vault, aum }: RefreshedVault,
  { available, fromReserve, burned, owed, reserve }: Withdrawn,
): VaultState {
  const left = fromReserve.released - fromReserve.paid;
  const paid = {
    ...vault,
    tokenAvailable: toLamports(vault.tokenAvailable - available + left),
    sharesIssued: toU64(vault.sharesIssued - burned, 'shares of the vault'),
    prevAumSf: subSf(aum, owed),
  };
  if (reserve === undefined) return paid;
  const { ctokenAllocation } = findAllocation(vault, reserve);
  const rest = toU64(ctokenAllocation - fromReserve.ctokens, 'cTokens of the vault');
  return withAllocation(paid, reserve, { ctokenAllocation: rest });
}

export type InKindRedemption = SharesToRedeem & { readonly reserve: Address };

export type RedeemInKindEffects = {
  readonly vault: VaultState;
  readonly sharesToBurn: bigint;
  readonly ctokensToSendToUser: bigint;
  /** The value of the cTokens, rounded up to 60 bits. */
  readonly actualLiquidityValue: Sf;
};

/** The `redeemInKind` instruction: pays cTokens of one reserve. Needs neither available tokens nor liquidity. */
export function redeemInKind(
  vault: VaultState,
  context: VaultContext,
  redemption: InKindRedemption,
): RedeemInKindEffects {
  const { reserve, globalConfig } = redemption;
  const shares = sharesToRedeem(redemption);
  const { ctokenAllocation } = findAllocation(vault, reserve);
  const { vault: refreshed, aum } = refreshVault(vault, context);
  const pool = { aum, sharesIssued: refreshed.sharesIssued };
  const terms = penaltyRates(vault, globalConfig);
  const exchange = findExchangeRate(context.exchanges, reserve);
  const affordable = liquiditySfToCollateral(exchange, netWorth(pool, terms, shares));
  const ctokens = affordable < ctokenAllocation ? affordable : ctokenAllocation;
  if (ctokens === 0n) {
    throw kvaultRejection(
      'WithdrawResultsInZeroShares',
      'the shares are worth less than one cToken',
    );
  }
  const value = ctokenValue(exchange, ctokens, context.rules);
  const cost = sharesToBurn(pool, addSf(value, penaltyOfNet(terms, value)));
  const burned = cost < shares ? cost : shares;
  checkRedemption(vault, burned, value);
  const left = { ctokenAllocation: toU64(ctokenAllocation - ctokens, 'cTokens of the vault') };
  return {
    vault: {
      ...withAllocation(refreshed, reserve, left),
      sharesIssued: toU64(refreshed.sharesIssued - burned, 'shares of the vault'),
      prevAumSf: subSf(aum, value),
    },
    sharesToBurn: burned,
    ctokensToSendToUser: ctokens,
    actualLiquidityValue: value,
  };
}

/** Rounded up to 60 bits. An empty reserve exchanges one to one. */
function ctokenValue(exchange: CTokenExchangeRate, ctokens: bigint, rules: VaultRules): Sf {
  const { totalSupply, mintTotalSupply } = exchange;
  const isEmpty = totalSupply === 0n || mintTotalSupply === 0n;
  if (isEmpty && rules.inKindValue === 'exchange rate') return sfFromInt(ctokens);
  return mulSfByRatioCeil(totalSupply, ctokens, mintTotalSupply);
}

/** The value of the shares after the penalty. Unlike a payout in tokens, it is not rounded to lamports. */
function netWorth(pool: SharePool, terms: PenaltyRates, shares: bigint): Sf {
  if (pool.aum === 0n) throw kvaultRejection('VaultAUMZero', 'the AUM of the vault is zero');
  const worth = worthOfShares(pool, shares);
  if (worth === 0n) {
    throw kvaultRejection('CannotWithdrawZeroLamports', `the value of ${shares} shares is zero`);
  }
  const penalty = penaltyOfGross(terms, worth);
  if (penalty >= worth) {
    const reason = 'the penalty is at least the value of the shares';
    throw kvaultRejection('WithdrawAmountLessThanWithdrawalPenalty', reason);
  }
  return subSf(worth, penalty);
}

function checkRedemption({ minWithdrawAmount }: VaultState, burned: bigint, value: Sf): void {
  if (burned === 0n) {
    throw kvaultRejection(
      'WithdrawResultsInZeroShares',
      'the cTokens are worth less than one share',
    );
  }
  if (floorSf(value) <= minWithdrawAmount) {
    const reason = `the payout of ${floorSf(value)} does not exceed the minimum of ${minWithdrawAmount}`;
    throw kvaultRejection('WithdrawAmountBelowMinimum', reason);
  }
}

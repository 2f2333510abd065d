import type { Address } from '../../../base/encoding/address.ts';
import {
  addSf,
  floorSf,
  mulSfByRatioCeil,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import {
  type CTokenExchangeRate,
  liquiditySfToCollateral,
} from '../../klend/math/ctoken-exchange.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { findExchangeRate } from '../math/holdings.ts';
import { type SharePool, sharesToBurn, worthOfShares } from '../math/shares.ts';
import {
  type PenaltyRates,
  penaltyOfGross,
  penaltyOfNet,
  penaltyRates,
} from '../math/withdrawal-penalty.ts';
import type { VaultRules } from '../vault-rules.ts';
import { findAllocation, withAllocation } from './allocation.ts';
import { refreshVault, type VaultContext } from './refresh-vault.ts';
import { type SharesToRedeem, sharesToRedeem } from './withdraw-from-vault.ts';

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

import { hasCode } from '../../../base/errors.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  type Sf,
  sfFromBits,
  sfFromInt,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import type { ChainTime, UnixSeconds } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { feeCharge, hasActiveRewards, issuedRewards } from '../math/fees.ts';
import {
  type CTokenExchangeRates,
  type VaultHoldings,
  vaultAum,
  vaultHoldings,
} from '../math/holdings.ts';
import type { VaultRules } from '../releases.ts';

/** What an operation depends on besides the vault: the time, and the exchange rates of its reserves at that time. */
export type VaultContext = {
  readonly exchanges: CTokenExchangeRates;
  readonly time: ChainTime;
  readonly rules: VaultRules;
};

export type RefreshedVault = {
  readonly vault: VaultState;
  readonly holdings: VaultHoldings;
  /** The AUM after fees. */
  readonly aum: Sf;
};

/** Issues rewards and charges fees. Every operation starts with this. */
export function refreshVault(vault: VaultState, context: VaultContext): RefreshedVault {
  const { time } = context;
  const rewarded = issueRewards(vault, time.unix);
  const holdings = valueHoldings(rewarded, context);
  const charged = chargeFees(rewarded, holdings.investedTotal, time.unix);
  return { vault: charged, holdings, aum: vaultAum(charged, holdings.investedTotal) };
}

/** The holdings, with the error of the release for an investment whose value does not fit in 128 bits. */
export function valueHoldings(
  vault: VaultState,
  { exchanges, rules }: Pick<VaultContext, 'exchanges' | 'rules'>,
): VaultHoldings {
  try {
    return vaultHoldings(vault, exchanges);
  } catch (error) {
    if (rules.holdingsOverflow === 'panic' || !hasCode(error, 'MATH_OVERFLOW')) throw error;
    throw kvaultRejection('MathOverflow', 'the value of an investment exceeds 128 bits');
  }
}

export function issueRewards(vault: VaultState, now: UnixSeconds): VaultState {
  const { rewardInfo } = vault;
  if (!hasActiveRewards(rewardInfo) || now <= rewardInfo.lastIssuanceTs) return vault;
  const issued = issuedRewards(rewardInfo, now);
  return {
    ...vault,
    tokenAvailable: toLamports(vault.tokenAvailable + issued),
    rewardInfo: {
      ...rewardInfo,
      lastIssuanceTs: now,
      rewardsAvailable: toLamports(rewardInfo.rewardsAvailable - issued),
      cumulativeRewardsDistributedAnalytics: toLamports(
        rewardInfo.cumulativeRewardsDistributedAnalytics + issued,
      ),
    },
  };
}

/** The first call only starts the fee clock. Fees above the AUM still add to the cumulative sums. */
export function chargeFees(vault: VaultState, investedTotal: Sf, now: UnixSeconds): VaultState {
  const { lastFeeChargeTimestamp: last } = vault;
  if (last === 0n) return { ...vault, lastFeeChargeTimestamp: now };
  const seconds = now > last ? now - last : 0n;
  const total = addSf(sfFromInt(vault.tokenAvailable), investedTotal);
  const charge = feeCharge(vault, subSfToZero(total, vault.pendingFeesSf), seconds);
  return {
    ...vault,
    lastFeeChargeTimestamp: now,
    pendingFeesSf: addSf(vault.pendingFeesSf, charge.fees),
    prevAumSf: charge.aum,
    cumulativeEarnedInterestSf: addSfSaturating(
      vault.cumulativeEarnedInterestSf,
      charge.earnedInterest,
    ),
    cumulativeMgmtFeesSf: addSfSaturating(vault.cumulativeMgmtFeesSf, charge.mgmtCharge),
    cumulativePerfFeesSf: addSfSaturating(vault.cumulativePerfFeesSf, charge.perfCharge),
  };
}

/** Saturates at the largest fraction. */
const addSfSaturating = (a: Sf, b: Sf): Sf => sfFromBits(a + b < SF_LIMIT ? a + b : SF_LIMIT);

const SF_LIMIT = (1n << 128n) - 1n;

import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addRatio,
  divRatioOrZero,
  mulRatio,
  ratioOfUnits,
  sumRatios,
  ZERO_RATIO,
} from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import { ONE_SF, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import { actualYield, theoreticalYield } from '../../protocol/kvault/math/yield.ts';
import { WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import { totalApr, viewFarmRewards } from '../rewards/farm-rewards.ts';
import {
  isVaultShareFarm,
  supplyAprs,
  type VaultSnapshot,
  type VaultViewContext,
} from './vault-snapshot.ts';

/** An amount of the vault's token in whole units, and its current value. */
export type ValuedAmount = { readonly tokens: Ratio; readonly usd: Ratio; readonly sol: Ratio };

/** Rates are yearly fractions, prices are USD; a token without a price is worth zero. */
export type VaultMetrics = {
  /**
   * Yearly growth of a share in tokens since the vault's creation, annualized over at least a day. Undefined without
   * shares or a creation time.
   */
  readonly lifetimeApy: Ratio | undefined;
  readonly apyTheoretical: Ratio;
  readonly apyActual: Ratio;
  readonly apyFarmRewards: Ratio;
  readonly apyReservesIncentives: Ratio;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
  readonly sharePrice: Ratio;
  readonly tokensPerShare: Ratio;
  readonly sharesIssued: Ratio;
  readonly available: ValuedAmount;
  readonly invested: ValuedAmount;
  /** From the vault's account, at current prices. */
  readonly interestEarned: ValuedAmount;
  readonly performanceFees: ValuedAmount;
  readonly managementFees: ValuedAmount;
  readonly interestPerSecond: ValuedAmount;
};

const SECONDS_PER_YEAR = 31_536_000n;
const SECONDS_PER_DAY = 86_400n;

export function viewVaultMetrics(vault: VaultSnapshot, context: VaultViewContext): VaultMetrics {
  const { fields, holdings, tokensPerShare } = vault;
  const tokenPrice = vault.tokenPrice ?? ZERO_RATIO;
  const solPrice = context.tokens(WRAPPED_SOL_MINT)?.price ?? ZERO_RATIO;
  const valued = (tokens: Ratio): ValuedAmount => {
    const usd = mulRatio(tokens, tokenPrice);
    return { tokens, usd, sol: divRatioOrZero(usd, solPrice) };
  };
  const whole = (lamports: Sf): Ratio => sfToWholeTokens(lamports, fields.tokenMintDecimals);
  const aprs = supplyAprs(vault);
  const actual = actualYield(fields, holdings, aprs);
  const sharePrice = mulRatio(tokensPerShare, tokenPrice);
  return {
    lifetimeApy: lifetimeApy(vault, context.at.unix),
    apyTheoretical: theoreticalYield(fields, aprs).netApy,
    apyActual: actual.netApy,
    apyFarmRewards: farmRewards(vault, context, sharePrice),
    apyReservesIncentives: reservesIncentivesApr(vault),
    tokenPrice,
    solPrice,
    sharePrice,
    tokensPerShare,
    sharesIssued: ratioOfUnits(fields.sharesIssued, fields.sharesMintDecimals),
    available: valued(ratioOfUnits(holdings.available, fields.tokenMintDecimals)),
    invested: valued(whole(holdings.investedTotal)),
    interestEarned: valued(whole(fields.cumulativeEarnedInterestSf)),
    performanceFees: valued(whole(fields.cumulativePerfFeesSf)),
    managementFees: valued(whole(fields.cumulativeMgmtFeesSf)),
    interestPerSecond: valued(perSecond(mulRatio(whole(vault.totalHoldings), actual.netApr))),
  };
}

export const sfToWholeTokens = (lamports: Sf, decimals: bigint): Ratio => ({
  numerator: lamports,
  denominator: ONE_SF * 10n ** decimals,
});

const perSecond = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator,
  denominator: denominator * SECONDS_PER_YEAR,
});

/**
 * A vault's first share costs one lamport, so the current share price is the total growth.
 */
function lifetimeApy({ fields, aum }: VaultSnapshot, now: UnixSeconds): Ratio | undefined {
  const { sharesIssued, creationTimestamp } = fields;
  if (sharesIssued === 0n || aum === 0n || creationTimestamp === 0n) return undefined;
  const age = now - creationTimestamp;
  const growth = { numerator: aum, denominator: sharesIssued * ONE_SF };
  const yearly = powRatio(growth, {
    numerator: SECONDS_PER_YEAR,
    denominator: age < SECONDS_PER_DAY ? SECONDS_PER_DAY : age,
  });
  return addRatio(yearly, { numerator: -1n, denominator: 1n });
}

/** The APR of the vault's farm for staked shares. */
function farmRewards(
  { fields }: VaultSnapshot,
  context: VaultViewContext,
  sharePrice: Ratio,
): Ratio {
  const farm = context.farm(fields.vaultFarm);
  if (farm === undefined || !isVaultShareFarm(fields, farm.fields)) return ZERO_RATIO;
  const unitPrice = mulRatio(sharePrice, ratioOfUnits(1n, fields.sharesMintDecimals));
  return totalApr(viewFarmRewards(farm.fields, unitPrice, context));
}

/** The APR of the reserves' farms, weighted by the vault's allocation. */
export function reservesIncentivesApr({ reserves, holdings, totalHoldings }: VaultSnapshot): Ratio {
  const parts = holdings.invested.map(({ reserve, liquidity }) =>
    mulRatio(reserves.get(reserve)?.rewardsApr ?? ZERO_RATIO, {
      numerator: liquidity,
      denominator: 1n,
    }),
  );
  return divRatioOrZero(sumRatios(parts), { numerator: totalHoldings, denominator: 1n });
}

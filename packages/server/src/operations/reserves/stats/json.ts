import {
  type Address,
  addRatio,
  mulRatio,
  type Ratio,
  ratioOfUnits,
  sumRatios,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { ReserveView } from '@tidegate/core/protocol/klend/layout';
import { reserveRates } from '@tidegate/core/protocol/klend/math';
import {
  type DebtLimit,
  type MarketSnapshot,
  type ReserveAmounts,
  type ReserveSnapshot,
  reserveStatus,
  viewDebtLimits,
  viewReserveAmounts,
} from '@tidegate/core/views/lending';
import type { ReserveIncentive } from '@tidegate/core/views/rewards';
import type { AveragedRates } from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import {
  formatIsoInstant,
  formatLiveRatio,
  toLiveNumber,
} from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { AverageWindow, ReserveAverages } from './averages.ts';
import type { ReserveStats } from './schema.ts';
import type { SeasonIncentives } from './season-incentives.ts';

type ReserveAccount = { readonly address: Address; readonly fields: ReserveView };

/** Everything that the stats of a reserve are computed from. */
export type ReserveStatsSource = {
  readonly account: ReserveAccount;
  readonly snapshot: ReserveSnapshot;
  readonly market: MarketSnapshot;
  /** All reserves of the market. */
  readonly reserves: readonly ReserveAccount[];
  readonly averages: ReserveAverages;
  readonly seasons: SeasonIncentives;
  readonly underlying: UnderlyingYield;
  /** The rewards of a farm on positions of this value. */
  readonly incentivesOf: (farm: Address, positionsUsd: Ratio) => readonly ReserveIncentive[];
};

/** The staking yield of a token; unknown for one of a stake pool without two recorded epochs. */
export type UnderlyingYield = Ratio | 'none' | 'unknown';

type Json = Static<typeof ReserveStats>;

export function reserveStatsJson(source: ReserveStatsSource): Json {
  const amounts = viewReserveAmounts(source.snapshot, source.market);
  return {
    ...termsJson(source),
    ...ratesJson(source, amounts),
    autoDeleverage: autoDeleverageJson(source),
    pointsPrograms: [],
    ...amountsJson(source, amounts),
    proofOfReserves: null,
  };
}

function termsJson({ account, snapshot, market }: ReserveStatsSource) {
  const { config, collateral } = account.fields;
  const { debtTermSeconds, debtMaturityTimestamp } = config;
  const { borrowApy } = reserveRates(snapshot, market.slotMs);
  const fixedTerm =
    debtTermSeconds === 0n
      ? null
      : { termSeconds: Number(debtTermSeconds), apy: formatLiveRatio(borrowApy) };
  return {
    token: snapshot.mint,
    collateralMintAddress: collateral.mintPubkey,
    rateType: fixedTerm === null ? 'variable' : 'fixed',
    fixedTerm,
    debtMaturityTimestamp:
      debtMaturityTimestamp === 0n ? null : formatIsoInstant(debtMaturityTimestamp),
    status: reserveStatus(config),
    interestRateBasis: snapshot.basis,
    hostFixedInterestRateBps: config.hostFixedInterestRateBps,
    protocolTakeRatePct: config.protocolTakeRatePct,
    liqLTV: formatLiveRatio(percent(config.liquidationThresholdPct)),
    maxLTV: formatLiveRatio(percent(config.loanToValuePct)),
    borrowFactor: formatLiveRatio({ numerator: config.borrowFactorPct, denominator: 100n }),
    minLiquidationBonus: formatLiveRatio({
      numerator: BigInt(config.minLiquidationBonusBps),
      denominator: 10_000n,
    }),
    liquidationMaxDebtCloseFactorPct: market.fields.liquidationMaxDebtCloseFactorPct,
    utilizationLimitBlockBorrowingAbovePct: config.utilizationLimitBlockBorrowingAbovePct,
  } as const;
}

function ratesJson(source: ReserveStatsSource, { supply, borrowed, utilization }: ReserveAmounts) {
  const { account, snapshot, market, averages, seasons } = source;
  const { farmCollateral, farmDebt } = account.fields;
  const { supplyApy, borrowApy } = reserveRates(snapshot, market.slotMs);
  const supplyRewards = source.incentivesOf(farmCollateral, supply.usd);
  const borrowRewards = source.incentivesOf(farmDebt, borrowed.usd);
  const [supplied, paid] = [totalApy(supplyRewards), totalApy(borrowRewards)];
  const known = typeof source.underlying === 'string' ? undefined : source.underlying;
  const underlying = source.underlying === 'none' ? ZERO_RATIO : known;
  const { supplyApr: supplySeason, borrowApr: borrowSeason, pairs } = seasons;
  return {
    supplyApy: { current: formatLiveRatio(supplyApy), ...apyAverages(averages, 'supplyApy') },
    borrowApy: { current: formatLiveRatio(borrowApy), ...apyAverages(averages, 'borrowApy') },
    utilization: { current: formatLiveRatio(utilization), ...utilizationAverages(averages) },
    underlyingApy: formatOrNull(known),
    supplyApyBreakdown: {
      lending: formatLiveRatio(supplyApy),
      incentives: formatLiveRatio(supplied),
      seasonRewards: formatOrNull(supplySeason),
      underlying: formatOrNull(underlying),
      total: formatOrNull(
        supplySeason && underlying && sumRatios([supplyApy, supplied, supplySeason, underlying]),
      ),
    },
    borrowApyBreakdown: {
      borrow: formatLiveRatio(borrowApy),
      incentives: formatLiveRatio(paid),
      seasonRewards: formatOrNull(borrowSeason),
      total: formatOrNull(
        borrowSeason && addRatio(borrowApy, negated(addRatio(paid, borrowSeason))),
      ),
    },
    supplyRewardApys: supplyRewards.map((reward) => rewardJson(farmCollateral, reward)),
    borrowRewardApys: borrowRewards.map((reward) => rewardJson(farmDebt, reward)),
    pairIncentives: pairs.flatMap(({ target, rewardToken, apy, tokensPerSecond }) => {
      const { depositReserve, borrowReserve } = target;
      if (depositReserve === undefined || borrowReserve === undefined) return [];
      const rate = { apy: formatLiveRatio(apy), tokensPerSecond: formatLiveRatio(tokensPerSecond) };
      return { depositReserve, borrowReserve, rewardToken, ...rate };
    }),
  };
}

const totalApy = (rewards: readonly ReserveIncentive[]): Ratio =>
  sumRatios(rewards.map(({ apy }) => apy));

const rewardJson = (farm: Address, { rewardToken, apy, tokensPerSecond }: ReserveIncentive) => ({
  rewardToken,
  farm,
  apy: formatLiveRatio(apy),
  tokensPerSecond: formatLiveRatio(tokensPerSecond),
});

function apyAverages(averages: ReserveAverages, rate: 'supplyApy' | 'borrowApy') {
  const over = (days: AverageWindow) => averageJson(averages.get(days), rate);
  return {
    avg7d: over(7),
    avg14d: over(14),
    avg30d: over(30),
    avg60d: over(60),
    avg90d: over(90),
    avg180d: over(180),
  };
}

function utilizationAverages(averages: ReserveAverages) {
  const over = (days: AverageWindow) => averageJson(averages.get(days), 'utilization');
  return { avg30d: over(30), avg90d: over(90), avg180d: over(180), avg365d: over(365) };
}

/** An average is computed from doubles, which have less digits than this. */
const AVERAGE_SCALE = 10n ** 18n;

const averageJson = (
  averages: AveragedRates | undefined,
  rate: keyof AveragedRates,
): string | null =>
  averages === undefined
    ? null
    : formatSeriesRatio({
        numerator: BigInt(Math.round(averages[rate] * Number(AVERAGE_SCALE))),
        denominator: AVERAGE_SCALE,
      });

function autoDeleverageJson({ account, market }: ReserveStatsSource): Json['autoDeleverage'] {
  const { config } = account.fields;
  return {
    reserve: {
      enabled: config.autodeleverageEnabled !== 0,
      marginCallPeriodSecs: Number(config.deleveragingMarginCallPeriodSecs),
      thresholdDecreaseBpsPerDay: Number(config.deleveragingThresholdDecreaseBpsPerDay),
      bonusIncreaseBpsPerDay: Number(config.deleveragingBonusIncreaseBpsPerDay),
      minBonusBps: config.minDeleveragingBonusBps,
    },
    market: {
      enabled: market.fields.autodeleverageEnabled !== 0,
      individualMarginCallPeriodSecs: Number(
        market.fields.individualAutodeleverageMarginCallPeriodSecs,
      ),
    },
  };
}

function amountsJson(
  { account, snapshot, market, reserves }: ReserveStatsSource,
  amounts: ReserveAmounts,
) {
  const { config } = account.fields;
  const { decimals } = snapshot;
  const tokens = (lamports: bigint): string => formatLiveRatio(ratioOfUnits(lamports, decimals));
  const limit = ({ capacity, total }: DebtLimit) => ({
    capacity: capacity === undefined ? null : tokens(capacity),
    currentTotal: tokens(total),
  });
  const { outsideGroups, againstCollateral } = viewDebtLimits(account, market, reserves);
  const debtWithdrawalCap = capJson(config.debtWithdrawalCap, tokens);
  const totalBorrow = formatLiveRatio(amounts.borrowed.tokens);
  const borrowLimit = tokens(config.borrowLimit);
  return {
    liquidityAvailable: formatLiveRatio(amounts.available.tokens),
    liquidityAvailableUsd: formatLiveRatio(amounts.available.usd),
    actualAvailableLiquidity: formatLiveRatio(amounts.borrowable.tokens),
    actualAvailableLiquidityUsd: formatLiveRatio(amounts.borrowable.usd),
    borrowCaps: {
      utilization: {
        limitPct: config.utilizationLimitBlockBorrowingAbovePct,
        currentPct: String(toLiveNumber(mulRatio(amounts.utilization, HUNDRED))),
      },
      netWithdrawal: debtWithdrawalCap,
      globalDebt: { capacity: borrowLimit, currentTotal: totalBorrow },
      debtOutsideElevationGroup: limit(outsideGroups),
      debtAgainstCollateral: againstCollateral.map(
        ({ collateralReserve, elevationGroup, ...debt }) => ({
          collateralReserve,
          elevationGroup,
          ...limit(debt),
        }),
      ),
    },
    totalSupply: formatLiveRatio(amounts.supply.tokens),
    totalSupplyUsd: formatLiveRatio(amounts.supply.usd),
    totalBorrow,
    totalBorrowUsd: formatLiveRatio(amounts.borrowed.usd),
    depositLimit: tokens(config.depositLimit),
    borrowLimit,
    limits: {
      depositWithdrawalCap: capJson(config.depositWithdrawalCap, tokens),
      debtWithdrawalCap,
    },
  };
}

type Cap = ReserveView['config']['debtWithdrawalCap'];

const capJson = (cap: Cap, tokens: (lamports: bigint) => string) => ({
  capacity: tokens(cap.configCapacity),
  currentTotal: tokens(cap.currentTotal),
  intervalLengthSeconds: Number(cap.configIntervalLengthSeconds),
  lastIntervalStartTimestamp: formatIsoInstant(cap.lastIntervalStartTimestamp),
});

const HUNDRED: Ratio = { numerator: 100n, denominator: 1n };

const percent = (value: number): Ratio => ({ numerator: BigInt(value), denominator: 100n });

const negated = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: -numerator,
  denominator,
});

const formatOrNull = (value: Ratio | undefined): string | null =>
  value === undefined ? null : formatLiveRatio(value);

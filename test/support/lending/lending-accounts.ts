import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bsfFromBits, ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { LendingContext } from '#core/protocol/klend/operations/position.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';

export const MARKET = toAddress('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
export const USDC_RESERVE = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
export const SOL_RESERVE = toAddress('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q');

/** The time of the reference examples. */
export const SLOT = toSlot(300_000_000n);
export const NOW = toUnixSeconds(1_700_000_000n);

export const zeroed = <Value>(account: {
  body: { size: number; decode(v: DataView, o: number): Value };
}): Value => account.body.decode(new DataView(new ArrayBuffer(account.body.size)), 0);

export const emptyMarket = (): LendingMarket => ({
  ...zeroed(lendingMarket),
  version: 1n,
  referralFeeBps: 2000,
  globalAllowedBorrowValue: 45_000_000n,
  liquidationMaxDebtCloseFactorPct: 20,
  insolvencyRiskUnhealthyLtvPct: 95,
  minFullLiquidationValueThreshold: 2n,
  maxLiquidatableDebtMarketValueAtOnce: 500_000n,
});

export const exampleLendingContext = (): LendingContext => ({
  market: emptyMarket(),
  time: { slot: SLOT, unix: NOW },
  rules: NEWEST_LENDING_RULES,
});

type CurvePoints = readonly (readonly [utilizationBps: number, rateBps: number])[];

/** A curve with the given points. The last point is repeated, as in the program. */
export function curve(points: CurvePoints): Reserve['config']['borrowRateCurve'] {
  return {
    points: Array.from({ length: 11 }, (_, i) => {
      const [utilizationRateBps, borrowRateBps] = points[Math.min(i, points.length - 1)] ?? [0, 0];
      return { utilizationRateBps, borrowRateBps };
    }),
  };
}

/**
 * The reserve of the reference examples: 10^12 available, half of that borrowed, 10^6 of fees, 1.4 * 10^12 cTokens, six
 * decimals, a price of 1, refreshed with all price checks.
 */
export function exampleReserve(): Reserve {
  const empty = zeroed(reserve);
  return {
    ...empty,
    version: 1n,
    lastUpdate: { ...empty.lastUpdate, slot: SLOT, stale: 0, priceStatus: 63 },
    lendingMarket: MARKET,
    liquidity: {
      ...empty.liquidity,
      totalAvailableAmount: toLamports(10n ** 12n),
      borrowedAmountSf: sfFromInt(5n * 10n ** 11n),
      accumulatedProtocolFeesSf: sfFromInt(10n ** 6n),
      cumulativeBorrowRateBsf: { ...empty.liquidity.cumulativeBorrowRateBsf, value: ONE_BSF },
      marketPriceSf: ONE_SF,
      marketPriceLastUpdatedTs: NOW,
      mintDecimals: 6n,
    },
    collateral: { ...empty.collateral, mintTotalSupply: 14n * 10n ** 11n },
    config: {
      ...empty.config,
      hostFixedInterestRateBps: 50,
      protocolTakeRatePct: 15,
      loanToValuePct: 75,
      liquidationThresholdPct: 80,
      borrowFactorPct: 100n,
      borrowRateCurve: curve([
        [0, 0],
        [8000, 800],
        [10000, 10000],
      ]),
      depositLimit: toLamports(U64_MAX),
      borrowLimit: toLamports(U64_MAX),
      borrowLimitOutsideElevationGroup: toLamports(U64_MAX),
      tokenInfo: { ...empty.config.tokenInfo, maxAgePriceSeconds: 60n },
    },
  };
}

/** The SOL reserve of the examples: 5999999000000 lamports, 5500000000000 cTokens, nine decimals, a price of 150. */
export function exampleSolReserve(): Reserve {
  const base = exampleReserve();
  return {
    ...base,
    liquidity: {
      ...base.liquidity,
      totalAvailableAmount: toLamports(5_500_000_000_000n),
      borrowedAmountSf: sfFromInt(500_000_000_000n),
      marketPriceSf: sfFromInt(150n),
      mintDecimals: 9n,
    },
    collateral: { ...base.collateral, mintTotalSupply: 5_500_000_000_000n },
    config: { ...base.config, loanToValuePct: 74 },
  };
}

/** 2.2 billion cTokens of SOL and 70 million of USDC, with a debt of 100000000.5 USDC lamports. */
export function exampleObligation(): Obligation {
  const empty = zeroed(obligation);
  const amounts = [
    [SOL_RESERVE, 2_200_000_000n],
    [USDC_RESERVE, 70_000_000n],
  ] as const;
  return {
    ...empty,
    lendingMarket: MARKET,
    owner: MARKET,
    referrer: ZERO_ADDRESS,
    lastUpdate: { ...empty.lastUpdate, slot: SLOT, stale: 1 },
    deposits: empty.deposits.map((deposit, i) => {
      const [depositReserve, depositedAmount] = amounts[i] ?? [ZERO_ADDRESS, 0n];
      return { ...deposit, depositReserve, depositedAmount };
    }),
    borrows: empty.borrows.map((borrow, i) =>
      i === 0
        ? {
            ...borrow,
            borrowReserve: USDC_RESERVE,
            borrowedAmountSf: sfFromBits(100_000_000n * ONE_SF + ONE_SF / 2n),
            cumulativeBorrowRateBsf: {
              ...borrow.cumulativeBorrowRateBsf,
              value: bsfFromBits(ONE_BSF),
            },
          }
        : borrow,
    ),
  };
}

export const exampleReserves = (): Map<typeof USDC_RESERVE, Reserve> =>
  new Map([
    [USDC_RESERVE, exampleReserve()],
    [SOL_RESERVE, exampleSolReserve()],
  ]);

const GROUP = 1;

/** A market with a group for USDC debt against SOL at a max LTV of 90 % and a liquidation LTV of 95 %. */
export function groupMarket(
  group: Partial<LendingMarket['elevationGroups'][number]> = {},
): LendingMarket {
  const market = emptyMarket();
  const elevationGroups = market.elevationGroups.map((free, i) =>
    i === GROUP - 1
      ? {
          ...free,
          id: GROUP,
          ltvPct: 90,
          liquidationThresholdPct: 95,
          allowNewLoans: 1,
          maxReservesAsCollateral: 1,
          maxLiquidationBonusBps: 100,
          debtReserve: USDC_RESERVE,
          ...group,
        }
      : free,
  );
  return { ...market, elevationGroups };
}

/** Adds a reserve to the group with a limit on the debt against it. */
export function withElevationGroup(reserve: Reserve, limit = U64_MAX): Reserve {
  const limits = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup;
  return {
    ...reserve,
    config: {
      ...reserve.config,
      elevationGroups: Uint8Array.from(reserve.config.elevationGroups, (_, i) =>
        i === 0 ? GROUP : 0,
      ),
      borrowLimitAgainstThisCollateralInElevationGroup: limits.with(GROUP - 1, toLamports(limit)),
    },
  };
}

/** The example obligation without its deposit in the group's debt reserve. */
export function groupObligation(elevationGroup = GROUP): Obligation {
  const example = exampleObligation();
  return {
    ...example,
    elevationGroup,
    deposits: example.deposits.map((deposit, i) =>
      i === 1 ? { ...deposit, depositReserve: ZERO_ADDRESS, depositedAmount: 0n } : deposit,
    ),
  };
}

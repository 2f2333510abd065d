import {
  type Address,
  type ChainTime,
  ONE_BSF,
  sfFromBits,
  sfFromBps,
  sfFromInt,
  toLamports,
  U64_MAX,
} from '@tidegate/core/base';
import { KLEND_PROGRAM, type LendingRules, reserveAddresses } from '@tidegate/core/protocol/klend';
import {
  elevationGroup,
  type LendingMarket,
  lendingMarket,
  type Reserve,
  reserve,
} from '@tidegate/core/protocol/klend/layout';
import { encodeInterestRateBasis } from '@tidegate/core/protocol/klend/math';
import type { SeededKeys } from '../seed/seeded-keys.ts';
import type { MarketKey, MarketSpec, ReserveSpec } from '../specs/market-specs.ts';
import { type TokenSymbol, tokenBySymbol } from '../specs/token-specs.ts';
import { derivedAddress } from './derived-address.ts';
import { emptyAccount, paddedText } from './empty-account.ts';
import type { Oracle } from './oracle.ts';

export const marketAddress = (keys: SeededKeys, market: MarketKey): Address =>
  keys(`market/${market}`);

export const reserveAddress = (keys: SeededKeys, market: MarketKey, symbol: TokenSymbol): Address =>
  keys(`reserve/${market}/${symbol}`);

/** The admin of a market; also the authority of its lookup table. */
export const marketOwnerAddress = (keys: SeededKeys, market: MarketKey): Address =>
  keys(`owner/${market}`);

const UNUSED_GROUP = { ...emptyAccount(elevationGroup), maxReservesAsCollateral: 255 };
const CURVE_POINTS = 11;
const DAY_SECONDS = 86_400n;

export function createMarket(spec: MarketSpec, keys: SeededKeys): LendingMarket {
  const { key, name, groups, hasWithdrawQueue, closeFactorPct = 20 } = spec;
  const queue = hasWithdrawQueue === true ? 1 : 0;
  const empty = emptyAccount(lendingMarket.body);
  const address = marketAddress(keys, key);
  return {
    ...empty,
    version: 1n,
    bumpSeed: BigInt(derivedAddress('lma', [address], KLEND_PROGRAM).bump),
    lendingMarketOwner: marketOwnerAddress(keys, key),
    lendingMarketOwnerCached: marketOwnerAddress(keys, key),
    quoteCurrency: paddedText('USD', empty.quoteCurrency.length),
    liquidationMaxDebtCloseFactorPct: closeFactorPct,
    insolvencyRiskUnhealthyLtvPct: 95,
    minFullLiquidationValueThreshold: 2n,
    maxLiquidatableDebtMarketValueAtOnce: 500_000n,
    globalAllowedBorrowValue: 45_000_000n,
    withdrawTicketIssuanceEnabled: queue,
    withdrawTicketRedemptionEnabled: queue,
    minNetValueInObligationSf: sfFromBits(sfFromInt(1n) / 1_000_000n),
    name: paddedText(name, empty.name.length),
    elevationGroups: empty.elevationGroups.map((_, i) => {
      const group = groups.find(({ id }) => id === i + 1);
      if (group === undefined) return UNUSED_GROUP;
      const { debt, ...terms } = group;
      const debtReserve = reserveAddress(keys, key, debt);
      return {
        ...UNUSED_GROUP,
        ...terms,
        maxLiquidationBonusBps: 300,
        allowNewLoans: 1,
        debtReserve,
      };
    }),
  };
}

type ReserveFarms = { readonly collateral: Address; readonly debt: Address };

type ReserveOptions = {
  readonly market: MarketKey;
  readonly spec: ReserveSpec;
  readonly farms: ReserveFarms;
  readonly oracle: Oracle;
  readonly time: ChainTime;
  readonly rules: LendingRules;
};

/** A reserve without supply and debt. */
export function createReserve(
  { market, spec, farms, oracle, time, rules }: ReserveOptions,
  keys: SeededKeys,
): Reserve {
  const empty = emptyAccount(reserve.body);
  const token = tokenBySymbol(spec.symbol);
  const addresses = reserveAddresses(reserveAddress(keys, market, spec.symbol));
  return {
    ...empty,
    version: 1n,
    lastUpdate: { ...empty.lastUpdate, slot: time.slot, stale: 1 },
    lendingMarket: marketAddress(keys, market),
    farmCollateral: farms.collateral,
    farmDebt: farms.debt,
    liquidity: {
      ...empty.liquidity,
      mintPubkey: token.mint,
      supplyVault: addresses.liquiditySupplyVault,
      feeVault: addresses.liquidityFeeVault,
      mintDecimals: BigInt(token.decimals),
      cumulativeBorrowRateBsf: { ...empty.liquidity.cumulativeBorrowRateBsf, value: ONE_BSF },
      tokenProgram: token.tokenProgram,
    },
    collateral: {
      ...empty.collateral,
      mintPubkey: addresses.collateralMint,
      supplyVault: addresses.collateralSupplyVault,
    },
    config: {
      ...reserveConfig(empty.config, spec, oracle),
      interestRateBasis: basisValue(spec, rules),
    },
  };
}

const basisValue = (
  { interestRateBasis: basis = 'legacy' }: ReserveSpec,
  rules: LendingRules,
): number => encodeInterestRateBasis(rules.accrualBasis === 'of the reserve' ? basis : 'legacy');

type ReserveConfig = Reserve['config'];

function reserveConfig(empty: ReserveConfig, spec: ReserveSpec, oracle: Oracle): ReserveConfig {
  const unit = 10n ** BigInt(tokenBySymbol(spec.symbol).decimals);
  const groups = spec.elevationGroups ?? [];
  const cap = spec.dailyCap === undefined ? {} : dailyCap(spec.dailyCap * unit);
  return {
    ...empty,
    hostFixedInterestRateBps: spec.hostRateBps ?? 0,
    protocolTakeRatePct: spec.takeRatePct ?? 15,
    protocolLiquidationFeePct: 10,
    loanToValuePct: spec.loanToValuePct,
    liquidationThresholdPct: spec.liquidationThresholdPct,
    minLiquidationBonusBps: spec.liquidationBonusBps?.min ?? 200,
    maxLiquidationBonusBps: spec.liquidationBonusBps?.max ?? 1_000,
    badDebtLiquidationBonusBps: 99,
    deleveragingMarginCallPeriodSecs: 7n * DAY_SECONDS,
    deleveragingThresholdDecreaseBpsPerDay: 24n,
    deleveragingBonusIncreaseBpsPerDay: 100n,
    fees: {
      ...empty.fees,
      originationFeeSf: sfFromBps(spec.originationFeeBps ?? 0n),
      flashLoanFeeSf: sfFromBps(spec.flashLoanFeeBps ?? 1n),
    },
    borrowRateCurve: toBorrowRateCurve(spec.curve),
    borrowFactorPct: spec.borrowFactorPct,
    depositLimit: toLamports(spec.depositLimit * unit),
    borrowLimit: toLamports(spec.borrowLimit * unit),
    tokenInfo: tokenInfo(empty.tokenInfo, spec.symbol, oracle),
    depositWithdrawalCap: { ...empty.depositWithdrawalCap, ...cap },
    debtWithdrawalCap: { ...empty.debtWithdrawalCap, ...cap },
    debtTermSeconds: (spec.debtTermDays ?? 0n) * DAY_SECONDS,
    elevationGroups: empty.elevationGroups.map((_, i) => groups[i] ?? 0),
    borrowLimitOutsideElevationGroup: toLamports(U64_MAX),
    borrowLimitAgainstThisCollateralInElevationGroup:
      empty.borrowLimitAgainstThisCollateralInElevationGroup.map((none, i) =>
        groups.includes(i + 1) ? toLamports(U64_MAX >> 1n) : none,
      ),
  };
}

const dailyCap = (configCapacity: bigint) => ({
  configCapacity,
  configIntervalLengthSeconds: DAY_SECONDS,
});

/** Repeats the last point to fill the curve. */
function toBorrowRateCurve(curve: ReserveSpec['curve']): ReserveConfig['borrowRateCurve'] {
  const points = Array.from({ length: CURVE_POINTS }, (_, i) => {
    const [utilizationPct, borrowRateBps] = curve[Math.min(i, curve.length - 1)] ?? [0, 0];
    return { utilizationRateBps: utilizationPct * 100, borrowRateBps };
  });
  return { points };
}

function tokenInfo(
  empty: ReserveConfig['tokenInfo'],
  symbol: TokenSymbol,
  oracle: Oracle,
): ReserveConfig['tokenInfo'] {
  return {
    ...empty,
    name: paddedText(symbol, empty.name.length),
    maxAgePriceSeconds: 180n,
    maxAgeTwapSeconds: 240n,
    scopeConfiguration: {
      priceFeed: oracle.prices,
      priceChain: oracle.priceChain(symbol),
      twapChain: oracle.priceChain(symbol).map(() => 65535),
    },
  };
}

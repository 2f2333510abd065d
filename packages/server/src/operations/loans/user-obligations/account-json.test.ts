import { toAddress } from '@tidegate/core/base';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import { expect, test } from 'vitest';
import { referenceEncode } from '../../../../../../test/support/reference/reference-base58.ts';
import { obligationAccountJson } from './account-json.ts';

/** An account whose bytes all differ from zero, so that each field has a value of its own. */
function exampleAccount() {
  const data = Uint8Array.from({ length: obligation.size }, (_, i) => ((i * 7) % 250) + 1);
  data.set(obligation.discriminator);
  const owner = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
  return { owner, data, lamports: 1n };
}

const account = exampleAccount();
const bytes = new DataView(account.data.buffer);
const u8 = (at: number) => bytes.getUint8(at);
const u16 = (at: number) => bytes.getUint16(at, true);
const u32 = (at: number) => bytes.getUint32(at, true);
const u64 = (at: number) => String(bytes.getBigUint64(at, true));
const u128 = (at: number) =>
  String((bytes.getBigUint64(at + 8, true) << 64n) | bytes.getBigUint64(at, true));
const key = (at: number) => referenceEncode(account.data.slice(at, at + 32));
const each = <Value>(count: number, stride: number, read: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => read(i * stride));

test('every field is that of its offset in the account', () => {
  expect(obligationAccountJson(obligation.view(account))).toEqual({
    tag: u64(8),
    lastUpdate: { slot: u64(16), stale: u8(24), priceStatus: u8(25) },
    lendingMarket: key(32),
    owner: key(64),
    deposits: each(8, 136, (at) => ({
      depositReserve: key(96 + at),
      depositedAmount: u64(128 + at),
      marketValueSf: u128(136 + at),
      borrowedAmountAgainstThisCollateralInElevationGroup: u64(152 + at),
    })),
    lowestReserveDepositLiquidationLtv: u64(1184),
    depositedValueSf: u128(1192),
    borrows: each(5, 200, (at) => ({
      borrowReserve: key(1208 + at),
      cumulativeBorrowRateBsf: { value: each(4, 8, (limb) => u64(1240 + at + limb)) },
      lastBorrowedAtTimestamp: u64(1288 + at),
      borrowedAmountSf: u128(1296 + at),
      marketValueSf: u128(1312 + at),
      borrowFactorAdjustedMarketValueSf: u128(1328 + at),
      borrowedAmountOutsideElevationGroups: u64(1344 + at),
      fixedTermBorrowRolloverConfig: {
        autoRolloverEnabled: u8(1352 + at),
        openTermAllowed: u8(1353 + at),
        migrationToFixedEnabled: u8(1354 + at),
        fixedTermRolloverWindowDurationDays: u8(1355 + at),
        maxBorrowRateBps: u32(1356 + at),
        minDebtTermSeconds: u64(1360 + at),
      },
      borrowedAmountAtExpiration: u64(1368 + at),
    })),
    borrowFactorAdjustedDebtValueSf: u128(2208),
    borrowedAssetsMarketValueSf: u128(2224),
    allowedBorrowValueSf: u128(2240),
    unhealthyBorrowValueSf: u128(2256),
    elevationGroup: u8(2285),
    numOfObsoleteDepositReserves: u8(2286),
    hasDebt: u8(2287),
    referrer: key(2288),
    borrowingDisabled: u8(2320),
    autodeleverageTargetLtvPct: u8(2321),
    lowestReserveDepositMaxLtvPct: u8(2322),
    numOfObsoleteBorrowReserves: u8(2323),
    highestBorrowFactorPct: u64(2328),
    autodeleverageMarginCallStartedTimestamp: u64(2336),
    obligationOrders: each(2, 128, (at) => ({
      conditionThresholdSf: u128(2344 + at),
      opportunityParameterSf: u128(2360 + at),
      minExecutionBonusBps: u16(2376 + at),
      maxExecutionBonusBps: u16(2378 + at),
      conditionType: u8(2380 + at),
      opportunityType: u8(2381 + at),
    })),
    borrowOrder: {
      debtLiquidityMint: key(2600),
      remainingDebtAmount: u64(2632),
      filledDebtDestination: key(2640),
      minDebtTermSeconds: u64(2672),
      fillableUntilTimestamp: u64(2680),
      placedAtTimestamp: u64(2688),
      lastUpdatedAtTimestamp: u64(2696),
      requestedDebtAmount: u64(2704),
      maxBorrowRateBps: u32(2712),
      active: u8(2716),
      enableAutoRolloverOnFilledBorrows: u8(2717),
    },
  });
});

import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromBits } from '#core/base/numbers/scaled-fraction.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  runError,
  runVariant,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { decodeReserveAt } from '../../../support/lending/refresh-instructions.ts';
import {
  ADMIN,
  type ConfigChange,
  configFlowVariant,
  MODES,
  OBSOLETE_STATUS,
  onlyConfigChange,
} from '../../../support/lending/reserve-config-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const { depositLimit, borrowLimit, status } = MODES;
const plain = configFlowVariant('13');
const deposit = 'depositReserveLiquidityAndObligationCollateralV2';
const usdc = accountInSlot(plain, deposit, 'reserve');
const market = accountInSlot(plain, deposit, 'lendingMarket');
const council = numberedAddress(601);
const proposer = numberedAddress(602);

const eight = (last: number) => [last, 0, 0, 0, 0, 0, 0, 0];

type Fields<Whole> = (fields: Whole) => Partial<Whole>;

const ofReserve = (variant: LendingFlowVariant, change: Fields<Reserve>) =>
  withFields(variant, [reserve, usdc], (fields) => ({ ...fields, ...change(fields) }));

const ofMarket = (variant: LendingFlowVariant, change: Fields<LendingMarket>) =>
  withFields(variant, [lendingMarket, market], (fields) => ({ ...fields, ...change(fields) }));

const ofConfig = (variant: LendingFlowVariant, change: Fields<Reserve['config']>) =>
  ofReserve(variant, ({ config }) => ({ config: { ...config, ...change(config) } }));

const governed = ofMarket(plain, () => ({
  emergencyCouncil: council,
  proposerAuthority: proposer,
}));

/** Has only the initial deposit and is closed to users. */
const unused = ofMarket(
  ofConfig(
    ofReserve(governed, ({ liquidity, collateral }) => ({
      liquidity: {
        ...liquidity,
        totalAvailableAmount: toLamports(1_000n),
        borrowedAmountSf: sfFromBits(0n),
        accumulatedProtocolFeesSf: sfFromBits(0n),
        accumulatedReferrerFeesSf: sfFromBits(0n),
        pendingReferrerFeesSf: sfFromBits(0n),
      },
      collateral: { ...collateral, mintTotalSupply: 1_000n },
    })),
    () => ({ depositLimit: toLamports(0n), borrowLimit: toLamports(0n) }),
  ),
  () => ({ minInitialDepositAmount: toLamports(1_000n) }),
);

const by = (signer: typeof council, change: Partial<ConfigChange>): ConfigChange => ({
  reserve: usdc,
  mode: status,
  value: OBSOLETE_STATUS,
  ...change,
  replacedAccounts: { 0: { address: signer } },
});

const owners = (change: Partial<ConfigChange> = {}): ConfigChange => ({
  reserve: usdc,
  mode: status,
  value: OBSOLETE_STATUS,
  ...change,
});

test('the proposer can configure a reserve until it is used: then 6005', () => {
  expect(runError(onlyConfigChange(unused, by(proposer, {})))).toBeUndefined();
  expect(runError(onlyConfigChange(governed, by(proposer, {})))).toBe(6005);
  const locked = ofConfig(unused, () => ({ proposerAuthorityLocked: 1 }));
  expect(runError(onlyConfigChange(locked, by(proposer, {})))).toBe(6005);
  const open = ofConfig(unused, () => ({ borrowLimit: toLamports(1n) }));
  expect(runError(onlyConfigChange(open, by(proposer, {})))).toBe(6005);
});

test.each<[string, Fields<Reserve>]>([
  [
    'more cTokens than the first deposit',
    ({ collateral }) => ({ collateral: { ...collateral, mintTotalSupply: 1_001n } }),
  ],
  [
    'more supply than the first deposit',
    ({ liquidity }) => ({ liquidity: { ...liquidity, totalAvailableAmount: toLamports(1_001n) } }),
  ],
  [
    'the smallest debt',
    ({ liquidity }) => ({ liquidity: { ...liquidity, borrowedAmountSf: sfFromBits(1n) } }),
  ],
])('a reserve with %s is in use', (_, change) => {
  const used = ofReserve(unused, change);
  expect(runError(onlyConfigChange(used, by(proposer, {})))).toBe(6005);
  expect(runError(onlyConfigChange(used, owners({ skip: 1 })))).toBe(6004);
  expect(runError(onlyConfigChange(used, owners()))).toBeUndefined();
});

test('the global admin can change its settings in an immutable market', () => {
  const closed = ofMarket(plain, () => ({ immutable: 1 }));
  const takeRate = by(ADMIN, { mode: 4, value: [10] });
  // Allowed, but not modelled.
  expect(runError(onlyConfigChange(closed, takeRate))).toBe(101);
});

test('only the owner can open a reserve: 6005', () => {
  const open = { mode: depositLimit, value: eight(1) };
  expect(runError(onlyConfigChange(unused, by(proposer, open)))).toBe(6005);
  const { error, logs } = runVariant(onlyConfigChange(unused, owners(open)));
  expect(error).toBeUndefined();
  expect(logs).toContain('Program log: Reserve usage is now allowed');
});

test('the validation can be skipped only for an unused, closed reserve: else 6004', () => {
  const unsound = ofConfig(unused, () => ({ loanToValuePct: 100 }));
  expect(runError(onlyConfigChange(unsound, owners()))).toBe(6004);
  const { error, logs } = runVariant(onlyConfigChange(unsound, owners({ skip: 1 })));
  expect(error).toBeUndefined();
  expect(logs).toContain('Program log: WARNING! Skipping validation of the config');
  expect(runError(onlyConfigChange(unsound, owners({ value: [3], skip: 1 })))).toBe(6004);
  const open = { mode: depositLimit, value: eight(1), skip: 1 };
  expect(runError(onlyConfigChange(unsound, owners(open)))).toBe(6004);
});

test('the borrow limit must not be below the limit outside elevation groups: 6004', () => {
  const limited = ofConfig(plain, () => ({ borrowLimitOutsideElevationGroup: toLamports(7n) }));
  const to = (last: number) => owners({ mode: borrowLimit, value: eight(last) });
  expect(runError(onlyConfigChange(limited, to(6)))).toBe(6004);
  expect(runError(onlyConfigChange(limited, to(7)))).toBeUndefined();
  const unlimited = ofConfig(plain, () => ({
    borrowLimitOutsideElevationGroup: toLamports(U64_MAX),
  }));
  expect(runError(onlyConfigChange(unlimited, to(0)))).toBeUndefined();
});

const points = (...first: readonly (readonly [number, number])[]) => ({
  borrowRateCurve: {
    points: Array.from({ length: 11 }, (_, i) => {
      const [utilizationRateBps, borrowRateBps] = first[i] ?? [10_000, 9_000];
      return { utilizationRateBps, borrowRateBps };
    }),
  },
});

const rising = (i: number) => [i * 900, i] as const;

const sound: Partial<Reserve['config']> = {
  loanToValuePct: 80,
  liquidationThresholdPct: 80,
  maxLiquidationBonusBps: 1_000,
  minLiquidationBonusBps: 1_000,
  minDeleveragingBonusBps: 1_000,
  badDebtLiquidationBonusBps: 99,
  borrowFactorPct: 100n,
  autodeleverageEnabled: 1,
  deleveragingMarginCallPeriodSecs: 1n,
  deleveragingThresholdDecreaseBpsPerDay: 1n,
  deleveragingBonusIncreaseBpsPerDay: 1n,
  protocolTakeRatePct: 100,
  protocolLiquidationFeePct: 100,
  protocolOrderExecutionFeePct: 100,
  utilizationLimitBlockBorrowingAbovePct: 100,
  ...points([0, 10], [5_000, 10], [10_000, 10]),
};

test('settings at their bounds are valid', () => {
  expect(
    runError(
      onlyConfigChange(
        ofConfig(plain, () => sound),
        owners(),
      ),
    ),
  ).toBeUndefined();
});

test.each<[string, number, Partial<Reserve['config']>]>([
  ['a loan-to-value of 100 %', 6004, { loanToValuePct: 100, liquidationThresholdPct: 100 }],
  ['a threshold below the loan-to-value', 6004, { liquidationThresholdPct: 79 }],
  ['a threshold above 100 %', 6004, { liquidationThresholdPct: 101 }],
  ['a bonus above 100 %', 6004, { maxLiquidationBonusBps: 10_001 }],
  ['a minimum bonus above the maximum', 6004, { minLiquidationBonusBps: 1_001 }],
  ['a minimum deleveraging bonus above the maximum', 6004, { minDeleveragingBonusBps: 1_001 }],
  ['a large bonus for bad debt', 6004, { badDebtLiquidationBonusBps: 100 }],
  ['a borrow factor below one', 6004, { borrowFactorPct: 99n }],
  ['deleveraging without margin call period', 6004, { deleveragingMarginCallPeriodSecs: 0n }],
  ['deleveraging without threshold decrease', 6004, { deleveragingThresholdDecreaseBpsPerDay: 0n }],
  ['deleveraging without bonus increase', 6004, { deleveragingBonusIncreaseBpsPerDay: 0n }],
  ['a take rate above 100 %', 6004, { protocolTakeRatePct: 101 }],
  ['a liquidation fee above 100 %', 6004, { protocolLiquidationFeePct: 101 }],
  ['an order fee above 100 %', 6004, { protocolOrderExecutionFeePct: 101 }],
  ['a utilization limit above 100 %', 6004, { utilizationLimitBlockBorrowingAbovePct: 101 }],
  ['an unknown elevation group', 6069, { elevationGroups: new Uint8Array(20).fill(33) }],
  ['a curve that starts above zero', 6060, points([1, 10])],
  ['a curve with equal utilizations', 6060, points([0, 10], [5_000, 10], [5_000, 20])],
  ['a curve that decreases after its end', 6060, points([0, 10], [10_000, 10], [9_000, 20])],
  ['a curve that continues after its end', 6060, points([0, 10], [10_000, 10], [10_001, 20])],
  ['a falling curve', 6060, points([0, 10], [5_000, 9])],
  ['a curve without end', 6060, points(...[...new Array(11).keys()].map(rising))],
])('settings with %s fail with %d', (_, code, change) => {
  const unsound = ofConfig(plain, () => ({ ...sound, ...change }));
  const variant = onlyConfigChange(unsound, owners());
  expect(runError(variant)).toBe(code);
  expect(runVariant(variant).live.changes().size).toBe(0);
});

test('the origination fee must be below 100 %, and the status must exist: 6004', () => {
  const { fees } = decodeReserveAt(plain.accounts, usdc).config;
  const all = { fees: { ...fees, originationFeeSf: sfFromBits(1n << 60n) } };
  expect(
    runError(
      onlyConfigChange(
        ofConfig(plain, () => all),
        owners(),
      ),
    ),
  ).toBe(6004);
  const other = ofConfig(plain, () => ({ status: 3 }));
  expect(runError(onlyConfigChange(other, owners({ mode: depositLimit, value: eight(1) })))).toBe(
    6004,
  );
});

type Group = LendingMarket['elevationGroups'][number];

/** Puts the reserve into one group with these terms. */
function grouped(change: Partial<Group>): LendingFlowVariant {
  const terms = { id: 5, ltvPct: 80, liquidationThresholdPct: 80, maxLiquidationBonusBps: 1_000 };
  const rest = { maxReservesAsCollateral: 1, debtReserve: numberedAddress(9) };
  const variant = ofMarket(plain, ({ elevationGroups }) => ({
    elevationGroups: elevationGroups.map((group, i) =>
      i === 4 ? { ...group, ...terms, ...rest, ...change } : group,
    ),
  }));
  return ofConfig(variant, () => ({
    ...sound,
    loanToValuePct: 70,
    elevationGroups: Uint8Array.of(5, ...new Uint8Array(19)),
  }));
}

test('a group may be worse for its own debt reserve', () => {
  expect(runError(onlyConfigChange(grouped({}), owners()))).toBeUndefined();
  const worse = { debtReserve: usdc, ltvPct: 69, maxLiquidationBonusBps: 1_001 };
  expect(runError(onlyConfigChange(grouped(worse), owners()))).toBeUndefined();
});

test.each<[string, number, Partial<Group>]>([
  ['no debt', 6004, { debtReserve: ZERO_ADDRESS }],
  ['no collateral', 6004, { maxReservesAsCollateral: 0 }],
  ['a larger bonus', 6004, { maxLiquidationBonusBps: 1_001 }],
  ['a lower threshold', 6004, { liquidationThresholdPct: 79, ltvPct: 79 }],
  ['a lower loan-to-value', 6004, { ltvPct: 69 }],
  ['a loan-to-value above its threshold', 6004, { ltvPct: 81 }],
  ['a threshold above 100 %', 6004, { liquidationThresholdPct: 101 }],
  ['no loan', 6069, { ltvPct: 0 }],
])('a reserve in a group with %s fails with %d', (_, code, change) => {
  expect(runError(onlyConfigChange(grouped(change), owners()))).toBe(code);
});

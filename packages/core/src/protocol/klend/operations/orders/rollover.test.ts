import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../../test/support/lending/dollar-loans.ts';
import {
  curve,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../../base/time.ts';
import type { LendingMarket } from '../../layout/lending-market.ts';
import type { Obligation } from '../../layout/obligation.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { reserveOf } from '../position.ts';
import { setObligationConfig } from './obligation-config.ts';
import { rollover } from './rollover.ts';

const DAY = 86_400n;
const TARGET = SOL_RESERVE;

type Debt = Obligation['borrows'][number];

type Changes = {
  readonly market?: Partial<LendingMarket>;
  readonly settings?: Partial<Debt['fixedTermBorrowRolloverConfig']>;
  readonly debt?: Partial<Debt>;
  readonly source?: Partial<Reserve['config']>;
  readonly target?: Partial<Reserve['config']>;
  readonly available?: bigint;
};

/** A debt of 600 with a term of ten days that ends in an hour. The other reserve offers 30 days at 10 %. */
function termLoan({ market, settings, debt, source, target, available }: Changes = {}) {
  const { position, context } = dollarLoan({ deposited: 1_000n, borrowed: 400n });
  const rate = { borrowRateCurve: curve([[0, 1000]]) };
  const change = (reserve: Reserve, config: Partial<Reserve['config']>): Reserve => ({
    ...reserve,
    borrowedAmountOutsideElevationGroup: toLamports(400n),
    config: { ...reserve.config, ...rate, ...config },
  });
  const [from, to] = [
    reserveOf(position.reserves, USDC_RESERVE),
    reserveOf(position.reserves, TARGET),
  ];
  const borrows = position.obligation.borrows.map((each, i) =>
    i === 0
      ? {
          ...each,
          lastBorrowedAtTimestamp: toUnixSeconds(NOW - 10n * DAY + 3_600n),
          borrowedAmountOutsideElevationGroups: toLamports(400n),
          ...debt,
          fixedTermBorrowRolloverConfig: {
            ...each.fixedTermBorrowRolloverConfig,
            autoRolloverEnabled: 1,
            maxBorrowRateBps: 1_000,
            minDebtTermSeconds: 20n * DAY,
            ...settings,
          },
        }
      : each,
  );
  const lent = change(to, { debtTermSeconds: 30n * DAY, ...target });
  const reserves = new Map([
    [USDC_RESERVE, change(from, { debtTermSeconds: 10n * DAY, ...source })],
    [
      TARGET,
      {
        ...lent,
        liquidity: {
          ...lent.liquidity,
          totalAvailableAmount: toLamports(available ?? lent.liquidity.totalAvailableAmount),
        },
      },
    ],
  ]);
  return {
    position: { obligation: { ...position.obligation, borrows }, reserves },
    context: {
      ...context,
      market: {
        ...context.market,
        fixedTermRolloverWindowDurationSeconds: 2n * DAY,
        openTermRolloverWindowDurationSeconds: DAY,
        obligationBorrowMigrationToFixedExecutionEnabled: 1,
        ...market,
      },
    },
  };
}

const roll = (changes: Changes = {}, target = TARGET) => {
  const { position, context } = termLoan(changes);
  return rollover(position, context, { source: USDC_RESERVE, target });
};

test('a debt moves into the other reserve with its settings and a new term', () => {
  const { position } = termLoan();
  const after = roll();
  expect(after.moved).toBe(400n);
  // the entry of the old debt is free again, so the new one takes it
  const [moved, free] = after.obligation.borrows;
  expect(free?.borrowedAmountSf).toBe(0n);
  expect(moved).toMatchObject({
    borrowReserve: TARGET,
    borrowedAmountSf: sfFromInt(400n),
    lastBorrowedAtTimestamp: NOW,
    borrowedAmountOutsideElevationGroups: 400n,
    fixedTermBorrowRolloverConfig: { autoRolloverEnabled: 1, maxBorrowRateBps: 1_000 },
  });
  const amounts = (address: typeof TARGET, reserves = after.reserves) => {
    const { liquidity, borrowedAmountOutsideElevationGroup: outside } = reserveOf(
      reserves,
      address,
    );
    return [liquidity.totalAvailableAmount, liquidity.borrowedAmountSf >> 60n, outside];
  };
  const [before, other] = [USDC_RESERVE, TARGET].map((each) => amounts(each, position.reserves));
  const difference = (now: readonly bigint[], then: readonly bigint[] = []) =>
    now.map((value, i) => value - (then[i] ?? 0n));
  expect(difference(amounts(USDC_RESERVE), before)).toEqual([400n, -400n, -400n]);
  expect(difference(amounts(TARGET), other)).toEqual([-400n, 400n, 400n]);
});

test('a fraction of a lamport is rounded up', () => {
  const after = roll({ debt: { borrowedAmountSf: sfFromBits(sfFromInt(399n) + 1n) } });
  expect(after.moved).toBe(400n);
  expect(after.obligation.borrows[0]?.borrowedAmountSf).toBe(sfFromInt(400n));
});

test('the part that the other reserve can lend moves, if it is worth enough', () => {
  const after = roll({ available: 150n });
  expect(after.moved).toBe(150n);
  expect(after.obligation.borrows[0]).toMatchObject({
    borrowedAmountSf: sfFromInt(250n),
    borrowedAmountOutsideElevationGroups: 250n,
  });
  const market = { minPartialRolloverValue: 151n };
  expect(() => roll({ available: 150n, market })).toThrow(/PartialRolloverValueTooSmall/);
  expect(() => roll({ available: 0n })).toThrow(/InsufficientLiquidity/);
});

test('within one reserve only the term starts again', () => {
  const { position } = termLoan();
  const after = roll({ settings: { minDebtTermSeconds: DAY } }, USDC_RESERVE);
  expect(after.moved).toBe(0n);
  expect(after.reserves).toEqual(position.reserves);
  expect(after.obligation.borrows[0]).toMatchObject({
    borrowedAmountSf: sfFromInt(400n),
    lastBorrowedAtTimestamp: NOW,
  });
});

test.each<[string, Changes, RegExp]>([
  ['does not want it', { settings: { autoRolloverEnabled: 0 } }, /NotEnabledByOwner/],
  ['wants a lower rate', { settings: { maxBorrowRateBps: 999 } }, /TargetReserveMismatch/],
  ['wants a longer term', { settings: { minDebtTermSeconds: 31n * DAY } }, /TargetReserveMismatch/],
  ['wants no term', { settings: { minDebtTermSeconds: 0n } }, /TargetReserveMismatch/],
  ['wants a term', { target: { debtTermSeconds: 0n } }, /TargetReserveMismatch/],
  [
    'is asked about another borrow factor',
    { target: { borrowFactorPct: 150n } },
    /TargetReserveMismatch/,
  ],
])('an owner who %s is respected', (_, changes, error) => {
  expect(() => roll(changes)).toThrow(error);
});

test('the market decides how long before the end of the term', () => {
  const window = (seconds: bigint) => ({
    market: { fixedTermRolloverWindowDurationSeconds: seconds },
  });
  expect(() => roll(window(3_599n))).toThrow(/OutsideRolloverWindow/);
  expect(roll(window(3_600n)).moved).toBe(400n);
  expect(() => roll(window(0n))).toThrow(/BorrowRolloverExecutionDisabled/);
  // a window of the owner, in days, replaces that of the market
  const own = { settings: { fixedTermRolloverWindowDurationDays: 1 } };
  expect(roll({ ...window(60n), ...own }).moved).toBe(400n);
});

test('a debt without a term moves into one at any time, and out of one if its owner allows it', () => {
  const open = {
    source: { debtTermSeconds: 0n },
    settings: { autoRolloverEnabled: 0, migrationToFixedEnabled: 1 },
  };
  expect(roll(open).moved).toBe(400n);
  expect(() => roll({ ...open, settings: {} })).toThrow(/NotEnabledByOwner/);
  const disabled = { obligationBorrowMigrationToFixedExecutionEnabled: 0 };
  expect(() => roll({ ...open, market: disabled })).toThrow(/BorrowRolloverExecutionDisabled/);
  const toOpen = { target: { debtTermSeconds: 0n }, settings: { openTermAllowed: 1 } };
  const after = roll(toOpen);
  expect(after.obligation.borrows[0]?.fixedTermBorrowRolloverConfig.autoRolloverEnabled).toBe(0);
});

test('not in an elevation group', () => {
  const { position, context } = termLoan();
  const obligation = { ...position.obligation, elevationGroup: 1 };
  expect(() =>
    rollover({ ...position, obligation }, context, { source: USDC_RESERVE, target: TARGET }),
  ).toThrow(/RolloverNotSupportedInElevationGroup/);
});

test('settings of a debt must make sense together', () => {
  const { position, context } = termLoan({
    settings: { autoRolloverEnabled: 0, maxBorrowRateBps: 0 },
  });
  const market = { ...context.market, obligationBorrowRolloverConfigurationEnabled: 1 };
  const set = (
    mode: Parameters<typeof setObligationConfig>[2]['mode'],
    value: bigint,
    of: Obligation = position.obligation,
  ) => setObligationConfig(of, { market }, { reserve: USDC_RESERVE, mode, value });
  expect(() => set('FixedTermRolloverEnabled', 1n)).toThrow(/InvalidConfig/);
  const rated = set('FixedTermRolloverMaxBorrowRateBps', 700n);
  const on = set('FixedTermRolloverEnabled', 1n, rated);
  expect(on.borrows[0]?.fixedTermBorrowRolloverConfig).toMatchObject({
    autoRolloverEnabled: 1,
    maxBorrowRateBps: 700,
  });
  expect(() => set('FixedTermRolloverEnabled', 2n, rated)).toThrow(/InvalidFlag/);
  const without = set('FixedTermRolloverMinDebtTermSeconds', 0n, rated);
  expect(() => set('MigrationToFixedEnabled', 1n, without)).toThrow(/InvalidConfig/);
  expect(() =>
    setObligationConfig(rated, context, {
      reserve: USDC_RESERVE,
      mode: 'FixedTermRolloverEnabled',
      value: 1n,
    }),
  ).toThrow(/BorrowRolloverConfigurationDisabled/);
});

test('a debt of the target must have equal settings, with the days of its window', () => {
  const { position, context } = termLoan({ settings: { fixedTermRolloverWindowDurationDays: 3 } });
  const withTarget = (days: number) => {
    const [source, free, ...others] = position.obligation.borrows;
    if (source === undefined || free === undefined) throw new Error('no debts');
    const target = {
      ...source,
      borrowReserve: TARGET,
      fixedTermBorrowRolloverConfig: {
        ...source.fixedTermBorrowRolloverConfig,
        fixedTermRolloverWindowDurationDays: days,
      },
    };
    const obligation = { ...position.obligation, borrows: [source, target, ...others] };
    const request = { source: USDC_RESERVE, target: TARGET };
    return rollover({ ...position, obligation }, context, request);
  };
  expect(withTarget(3).moved).toBe(400n);
  expect(() => withTarget(5)).toThrow(/ObligationBorrowRolloverConfigMismatch/);
});

test('the days of a debt replace the window of the market, unless the market has none', () => {
  const inThreeDays = { lastBorrowedAtTimestamp: toUnixSeconds(NOW - 7n * DAY) };
  const days = { fixedTermRolloverWindowDurationDays: 3 };
  expect(() => roll({ debt: inThreeDays })).toThrow(/ObligationBorrowOutsideRolloverWindow/);
  expect(roll({ debt: inThreeDays, settings: days }).moved).toBe(400n);
  const disabled = { fixedTermRolloverWindowDurationSeconds: 0n };
  expect(() => roll({ debt: inThreeDays, settings: days, market: disabled })).toThrow(
    /BorrowRolloverExecutionDisabled/,
  );
});

test('a debt that moves marks the limits of both reserves', () => {
  const crossed = { depositLimit: toLamports(1n), borrowLimit: toLamports(10n ** 15n) };
  const { position, context } = termLoan({ source: crossed, target: crossed });
  const request = { source: USDC_RESERVE, target: TARGET };
  const timesOf = (version?: string) => {
    const rules = version === undefined ? context.rules : releaseRules(version);
    const { reserves } = rollover(position, { ...context, rules }, request);
    return [USDC_RESERVE, TARGET].map(
      (address) => reserveOf(reserves, address).liquidity.depositLimitCrossedTimestamp,
    );
  };
  expect(timesOf()).toEqual([NOW, NOW]);
  expect(timesOf('1.23')).toEqual([0n, 0n]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import {
  type LoanEvent,
  type ObligationPnl,
  type PositionMode,
  type PricedAmount,
  type UsdAndSol,
  viewObligationPnl,
} from './obligation-pnl.ts';

const SOL_AT = (price: string) => ({
  price: parseDecimal(price),
  solPrice: parseDecimal(price),
  decimals: 9n,
  stakeRate: undefined,
});

const sol = (amount: bigint, price: string): PricedAmount => ({ amount, ...SOL_AT(price) });

const dollars = (whole: bigint, solPrice: string): PricedAmount => ({
  amount: whole * 1_000_000n,
  decimals: 6n,
  price: ratio(1n, 1n),
  solPrice: parseDecimal(solPrice),
  stakeRate: undefined,
});

const event = (
  kind: 'deposit' | 'withdraw' | 'borrow' | 'repay',
  moved: PricedAmount,
  leavesEmpty = false,
): LoanEvent => ({ kind, moved, leavesEmpty });

const netValue = (usd: string, inSol: string): UsdAndSol<Ratio> => ({
  usd: parseDecimal(usd),
  sol: parseDecimal(inSol),
});

const pnlOf = (
  events: readonly LoanEvent[],
  netValue: UsdAndSol<Ratio>,
  options: { mode?: PositionMode; useStakeRate?: boolean } = {},
) =>
  viewObligationPnl(events, {
    mode: options.mode ?? 'current_obligation',
    useStakeRate: options.useStakeRate ?? false,
    netValue,
  });

const texts = ({ usd, sol: inSol, invested }: ObligationPnl): string[] =>
  [usd, inSol, invested.usd, invested.sol].map((value) => formatRatio(value, 40));

const ONE_SOL = 1_000_000_000n;

test('profit is the current value minus the investment at historical prices', () => {
  const events = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(400n, '100')),
    event('repay', dollars(100n, '125')),
    event('withdraw', sol(ONE_SOL, '125')),
  ];
  // invested: 1000 - 400 + 100 - 125; in SOL: 10 - 4 + 0.8 - 1
  // now: 9 SOL at 150 and a debt of 305
  expect(texts(pnlOf(events, netValue('1045', '6.97')))).toEqual(['470', '1.17', '575', '5.8']);
});

test('a borrow fee is a loss', () => {
  const events = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(400n, '100')),
  ];
  // the debt is 401
  expect(texts(pnlOf(events, netValue('599', '5.99')))).toEqual(['-1', '-0.01', '600', '6']);
});

test('a liquidation adds nothing to the investment, so the profit falls by seized minus repaid', () => {
  const events: LoanEvent[] = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(700n, '100')),
    { kind: 'liquidate', leavesEmpty: false },
  ];
  // at 80 USD: 10 SOL and a debt of 700 before; 1.05 SOL (84 USD) seized for 80 USD of the debt
  const before = pnlOf(events.slice(0, 2), netValue('100', '1.25'));
  const after = pnlOf(events, netValue('96', '1.2'));
  expect(texts(before)).toEqual(['-200', '-1.75', '300', '3']);
  expect(texts(after)).toEqual(['-204', '-1.8', '300', '3']);
});

test('a liquidation that empties the loan ends it', () => {
  const events: LoanEvent[] = [
    event('deposit', sol(ONE_SOL, '100')),
    { kind: 'liquidate', leavesEmpty: true },
    event('deposit', sol(ONE_SOL, '150')),
  ];
  expect(texts(pnlOf(events, netValue('160', '1')))).toEqual(['10', '0', '150', '1']);
  const all = pnlOf(events, netValue('160', '1'), { mode: 'obligation_all_time' });
  expect(texts(all)).toEqual(['-90', '-1', '250', '2']);
});

const twoLoans = [
  event('deposit', sol(ONE_SOL, '100')),
  event('withdraw', sol(ONE_SOL, '130'), true),
  event('deposit', sol(2n * ONE_SOL, '150')),
];

test('the current loan starts when the obligation was last empty', () => {
  expect(texts(pnlOf(twoLoans, netValue('320', '2')))).toEqual(['20', '0', '300', '2']);
});

test('the all-time mode includes earlier loans', () => {
  const pnl = pnlOf(twoLoans, netValue('320', '2'), { mode: 'obligation_all_time' });
  expect(texts(pnl)).toEqual(['50', '0', '270', '2']);
});

test('an empty obligation has neither profit nor investment', () => {
  const closed = twoLoans.slice(0, 2);
  expect(texts(pnlOf(closed, netValue('0', '0')))).toEqual(['0', '0', '0', '0']);
  const all = pnlOf(closed, netValue('0', '0'), { mode: 'obligation_all_time' });
  expect(texts(all)).toEqual(['30', '0', '-30', '0']);
  expect(texts(pnlOf([], netValue('0', '0')))).toEqual(['0', '0', '0', '0']);
});

test('the stake rate values a staked token in SOL, but not in USD', () => {
  const staked: PricedAmount = {
    amount: 10n * ONE_SOL,
    decimals: 9n,
    price: parseDecimal('115'),
    solPrice: parseDecimal('100'),
    stakeRate: parseDecimal('1.2'),
  };
  const events = [event('deposit', staked), event('borrow', dollars(100n, '100'))];
  expect(texts(pnlOf(events, netValue('1050', '10.5')))).toEqual(['0', '0', '1050', '10.5']);
  const byRate = pnlOf(events, netValue('1050', '11'), { useStakeRate: true });
  expect(texts(byRate)).toEqual(['0', '0', '1050', '11']);
});

test('without a SOL price the values in SOL are zero', () => {
  const amount = { ...sol(ONE_SOL, '100'), solPrice: ZERO_RATIO };
  expect(texts(pnlOf([event('deposit', amount)], netValue('100', '0')))).toEqual([
    '0',
    '0',
    '100',
    '0',
  ]);
});

test('property: at constant prices there is no profit', () => {
  const kinds = fc.constantFrom('deposit', 'withdraw', 'borrow', 'repay');
  const move = fc.record({ kind: kinds, amount: fc.bigInt(0n, 1n << 64n) });
  const price = fc.bigInt(1n, 1n << 70n).map((bits) => ratio(bits, 1n << 60n));
  assertProperty(
    fc.property(fc.array(move), price, (moves, constant) => {
      const prices = { decimals: 9n, price: constant, solPrice: constant, stakeRate: undefined };
      const events = moves.map(({ kind, amount }) => event(kind, { ...prices, amount }));
      const held = moves.reduce(
        (sum, { kind, amount }) =>
          kind === 'deposit' || kind === 'repay' ? sum + amount : sum - amount,
        0n,
      );
      const value = {
        usd: ratio(held * constant.numerator, 10n ** 9n * constant.denominator),
        sol: ratio(held, 10n ** 9n),
      };
      const { usd, sol: inSol } = pnlOf(events, value);
      // Only rounding errors, far below any shown digit.
      const size = (value: Ratio) => Math.abs(Number(value.numerator)) / Number(value.denominator);
      expect(size(usd)).toBeLessThan(1e-55);
      expect(size(inSol)).toBeLessThan(1e-55);
    }),
    100,
  );
});

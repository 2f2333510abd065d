import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  leg: PricedAmount,
  leavesEmpty = false,
): LoanEvent => ({ kind, leg, leavesEmpty });

const worth = (usd: string, inSol: string): UsdAndSol<Ratio> => ({
  usd: parseDecimal(usd),
  sol: parseDecimal(inSol),
});

const pnlOf = (
  events: readonly LoanEvent[],
  netValue: UsdAndSol<Ratio>,
  terms: { mode?: PositionMode; useStakeRate?: boolean } = {},
) =>
  viewObligationPnl(events, {
    mode: terms.mode ?? 'current_obligation',
    useStakeRate: terms.useStakeRate ?? false,
    netValue,
  });

const texts = ({ usd, sol: inSol, invested }: ObligationPnl): string[] =>
  [usd, inSol, invested.usd, invested.sol].map((value) => formatRatio(value, 40));

const ONE_SOL = 1_000_000_000n;

test('profit is what it is worth now, less what was paid in at the prices of then', () => {
  const events = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(400n, '100')),
    event('repay', dollars(100n, '125')),
    event('withdraw', sol(ONE_SOL, '125')),
  ];
  // in: 1000 - 400 + 100 - 125; in SOL: 10 - 4 + 0.8 - 1
  // now: 9 SOL at 150 and a debt of 305
  expect(texts(pnlOf(events, worth('1045', '6.97')))).toEqual(['470', '1.17', '575', '5.8']);
});

test('a fee is owed and was never received', () => {
  const events = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(400n, '100')),
  ];
  // the debt is 401
  expect(texts(pnlOf(events, worth('599', '5.99')))).toEqual(['-1', '-0.01', '600', '6']);
});

test('a liquidation repays the debt and takes the collateral, both at the prices of then', () => {
  const events: LoanEvent[] = [
    event('deposit', sol(10n * ONE_SOL, '100')),
    event('borrow', dollars(700n, '100')),
    {
      kind: 'liquidate',
      repaid: dollars(80n, '80'),
      seized: sol(1_050_000_000n, '80'),
      leavesEmpty: false,
    },
  ];
  // paid in: 1000 - 700 + 80 - 84; left are 8.95 SOL at 80 and a debt of 620
  const { invested, usd } = pnlOf(events, worth('96', '1.2'));
  expect(formatRatio(invested.usd, 40)).toBe('296');
  expect(formatRatio(invested.sol, 40)).toBe('2.95');
  expect(formatRatio(usd, 40)).toBe('-200');
});

const twoLoans = [
  event('deposit', sol(ONE_SOL, '100')),
  event('withdraw', sol(ONE_SOL, '130'), true),
  event('deposit', sol(2n * ONE_SOL, '150')),
];

test('the loan of now starts where the obligation was last empty', () => {
  expect(texts(pnlOf(twoLoans, worth('320', '2')))).toEqual(['20', '0', '300', '2']);
});

test('of all time earlier loans are part of it', () => {
  const pnl = pnlOf(twoLoans, worth('320', '2'), { mode: 'obligation_all_time' });
  expect(texts(pnl)).toEqual(['50', '0', '270', '2']);
});

test('an obligation that is empty now has neither profit nor investment', () => {
  const closed = twoLoans.slice(0, 2);
  expect(texts(pnlOf(closed, worth('0', '0')))).toEqual(['0', '0', '0', '0']);
  const all = pnlOf(closed, worth('0', '0'), { mode: 'obligation_all_time' });
  expect(texts(all)).toEqual(['30', '0', '-30', '0']);
  expect(texts(pnlOf([], worth('0', '0')))).toEqual(['0', '0', '0', '0']);
});

test('by the stake rate a staked token is worth its SOL, in SOL only', () => {
  const staked: PricedAmount = {
    amount: 10n * ONE_SOL,
    decimals: 9n,
    price: parseDecimal('115'),
    solPrice: parseDecimal('100'),
    stakeRate: parseDecimal('1.2'),
  };
  const events = [event('deposit', staked), event('borrow', dollars(100n, '100'))];
  expect(texts(pnlOf(events, worth('1050', '10.5')))).toEqual(['0', '0', '1050', '10.5']);
  const byRate = pnlOf(events, worth('1050', '11'), { useStakeRate: true });
  expect(texts(byRate)).toEqual(['0', '0', '1050', '11']);
});

test('without a price of SOL the figures in SOL are zero', () => {
  const leg = { ...sol(ONE_SOL, '100'), solPrice: ZERO_RATIO };
  expect(texts(pnlOf([event('deposit', leg)], worth('100', '0')))).toEqual(['0', '0', '100', '0']);
});

test('at prices that stand still nothing is won, however it is moved', () => {
  const kinds = fc.constantFrom('deposit', 'withdraw', 'borrow', 'repay');
  const move = fc.record({ kind: kinds, amount: fc.bigInt(0n, 1n << 64n) });
  const price = fc.bigInt(1n, 1n << 70n).map((bits) => ratio(bits, 1n << 60n));
  fc.assert(
    fc.property(fc.array(move), price, (moves, constant) => {
      const leg = { decimals: 9n, price: constant, solPrice: constant, stakeRate: undefined };
      const events = moves.map(({ kind, amount }) => event(kind, { ...leg, amount }));
      const held = moves.reduce(
        (sum, { kind, amount }) =>
          kind === 'deposit' || kind === 'repay' ? sum + amount : sum - amount,
        0n,
      );
      const netValue = {
        usd: ratio(held * constant.numerator, 10n ** 9n * constant.denominator),
        sol: ratio(held, 10n ** 9n),
      };
      const { usd, sol: inSol } = pnlOf(events, netValue);
      // what rounding drops, far behind any digit that is told
      const size = (value: Ratio) => Math.abs(Number(value.numerator)) / Number(value.denominator);
      expect(size(usd)).toBeLessThan(1e-55);
      expect(size(inSol)).toBeLessThan(1e-55);
    }),
  );
});

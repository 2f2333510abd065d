import { expect, test } from 'vitest';
import { formatRatio, parseDecimal, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { ZERO_ACCRUED_VALUE } from './accrued-value.ts';
import { accrueShares, viewUserEarnPoint, viewUserVaultPoint } from './user-vault-history.ts';

const text = (value: Ratio): string => formatRatio(value, 40);

const interval = (shares: bigint, tokens: readonly [string, string], prices: [string, string]) => ({
  shares,
  sharesDecimals: 6n,
  from: parseDecimal(tokens[0]),
  to: parseDecimal(tokens[1]),
  tokenPrice: parseDecimal(prices[0]),
  solPrice: parseDecimal(prices[1]),
});

/** 0.1 tokens for each of 10 shares at 2 USD, then 0.05 for each of 40 at 3 USD, then a loss. */
const accrued = () => {
  const first = accrueShares(ZERO_ACCRUED_VALUE, interval(10_000_000n, ['1', '1.1'], ['2', '100']));
  const second = accrueShares(first, interval(40_000_000n, ['1.1', '1.15'], ['3', '50']));
  return accrueShares(second, interval(40_000_000n, ['1.15', '1.14'], ['5', '40']));
};

const vault = {
  sharePrice: parseDecimal('2.5'),
  solPrice: parseDecimal('50'),
  sharesIssued: parseDecimal('400'),
  apyTheoretical: parseDecimal('0.04'),
  interestPerSecond: {
    tokens: parseDecimal('0.002'),
    usd: parseDecimal('0.004'),
    sol: parseDecimal('0.00008'),
  },
};

test('interest is the growth of the shares in tokens, each interval at its own prices', () => {
  const { interestEarned } = viewUserVaultPoint(parseDecimal('40'), vault, accrued());
  // 1 + 2 - 0.4; 2 + 6 - 2; 0.02 + 0.12 - 0.05
  expect(text(interestEarned.tokens)).toBe('2.6');
  expect(text(interestEarned.usd)).toBe('6');
  expect(text(interestEarned.sol)).toBe('0.09');
});

test("a position has the value of its shares and its part of the vault's earnings", () => {
  const point = viewUserVaultPoint(parseDecimal('40'), vault, ZERO_ACCRUED_VALUE);
  expect(text(point.shares)).toBe('40');
  expect(text(point.usdAmount)).toBe('100');
  expect(text(point.solAmount)).toBe('2');
  expect(text(point.apy)).toBe('0.04');
  expect(text(point.interestPerSecond.tokens)).toBe('0.0002');
  expect(text(point.interestPerSecond.usd)).toBe('0.0004');
  expect(text(point.interestPerSecond.sol)).toBe('0.000008');
  expect(text(point.interestEarned.usd)).toBe('0');
});

test('a vault without shares or prices has zeros', () => {
  const none = { ...vault, solPrice: ZERO_RATIO, sharesIssued: ZERO_RATIO };
  const point = viewUserVaultPoint(ratio(0n, 1n), none, ZERO_ACCRUED_VALUE);
  expect(text(point.solAmount)).toBe('0');
  expect(text(point.interestPerSecond.tokens)).toBe('0');
});

test('a wallet is the sum of its vaults, with an APY weighted by value', () => {
  const small = viewUserVaultPoint(parseDecimal('40'), vault, accrued());
  const large = viewUserVaultPoint(
    parseDecimal('120'),
    { ...vault, apyTheoretical: parseDecimal('0.08') },
    accrued(),
  );
  const all = viewUserEarnPoint([small, large]);
  expect(text(all.usdAmount)).toBe('400');
  expect(text(all.solAmount)).toBe('8');
  // a quarter at 4 % and three quarters at 8 %
  expect(text(all.weightedApy)).toBe('0.07');
  expect(text(all.interestEarned.usd)).toBe('12');
  expect(text(all.interestEarned.sol)).toBe('0.18');
  expect(text(all.interestPerSecond.usd)).toBe('0.0016');
  expect(text(all.interestPerSecond.sol)).toBe('0.000032');
  expect(text(viewUserEarnPoint([]).weightedApy)).toBe('0');
});

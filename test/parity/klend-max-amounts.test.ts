import { expect, test } from 'vitest';
import { hasCode } from '#core/base/errors.ts';
import { borrow } from '#core/protocol/klend/operations/borrow.ts';
import { maxBorrow, maxWithdraw } from '#core/protocol/klend/operations/max-amounts.ts';
import { refreshObligation } from '#core/protocol/klend/operations/refresh/refresh-obligation.ts';
import { withdraw } from '#core/protocol/klend/operations/withdraw.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { readGolden } from '../support/golden/golden.ts';
import { addressOf, goldenLending } from '../support/golden/golden-lending.ts';

type SdkObligation = {
  address: string;
  maxBorrow: Record<string, string>;
  maxWithdraw: Record<string, { maxWithdrawAmount: string }>;
};
type ExpectedFile = {
  markets: { reserves: { symbol: string; address: string }[]; obligations: SdkObligation[] }[];
};

const { markets } = readGolden('expected.json') as ExpectedFile;
const lending = goldenLending(NEWEST_LENDING_RULES);

const cases = markets.flatMap(({ reserves, obligations }) =>
  obligations.map((expected) => ({ address: expected.address, expected, reserves })),
);

function refreshedPosition(address: string) {
  const obligation = lending.obligations.get(addressOf(address));
  if (obligation === undefined) throw new Error(`no obligation ${address}`);
  const terms = lending.termsOf(obligation.lendingMarket);
  return { terms, position: refreshObligation({ obligation, reserves: lending.refreshed }, terms) };
}

const isRejected = (operation: () => unknown): boolean => {
  try {
    operation();
    return false;
  } catch (error) {
    return hasCode(error, 'PROGRAM_REFUSES');
  }
};

test.each(cases)('$address can borrow exactly its maximum', ({ address, reserves }) => {
  const { terms, position } = refreshedPosition(address);
  for (const { address: key, symbol } of reserves) {
    const reserve = addressOf(key);
    const most = maxBorrow(position, terms, reserve);
    const loan = (amount: bigint) => () => borrow(position, terms, { reserve, amount });
    if (most > 0n) expect(isRejected(loan(most)), `${symbol} ${most}`).toBe(false);
    expect(isRejected(loan(most + 1n)), `${symbol} ${most} + 1`).toBe(true);
  }
});

test.each(cases)('$address can withdraw exactly its maximum', ({ address }) => {
  const { terms, position } = refreshedPosition(address);
  for (const { depositReserve: reserve, depositedAmount } of position.obligation.deposits) {
    if (depositedAmount === 0n) continue;
    const most = maxWithdraw(position, terms, reserve).collateral;
    const take = (collateral: bigint) => () =>
      withdraw(position, terms, { reserve, collateral, limit: 'max ltv' });
    if (most > 0n) expect(isRejected(take(most))).toBe(false);
    // the program caps the amount at the deposit
    if (most < depositedAmount) expect(isRejected(take(most + 1n))).toBe(true);
  }
});

/**
 * The values of the SDK include its projected interest, reduce a withdrawal that is limited by debt by a thousandth, and
 * deduct the fee of a loan that is limited by the reserve from another amount.
 */
test.each(cases)(
  '$address: the SDK has about the same maximum',
  ({ address, expected, reserves }) => {
    const { terms, position } = refreshedPosition(address);
    for (const { symbol, address: key } of reserves) {
      const theirs = Number(expected.maxBorrow[symbol]);
      const ours = Number(maxBorrow(position, terms, addressOf(key)));
      if (theirs === 0 || ours === 0) expect(ours, symbol).toBe(theirs);
      else expect(Math.abs(ours / theirs - 1), symbol).toBeLessThan(5e-4);
    }
    for (const [key, { maxWithdrawAmount }] of Object.entries(expected.maxWithdraw)) {
      const theirs = Number(maxWithdrawAmount);
      const ours = Number(maxWithdraw(position, terms, addressOf(key)).liquidity);
      if (theirs === 0 || ours === 0) expect(ours).toBe(theirs);
      else expect(ours / theirs).toSatisfy((ratio: number) => ratio > 1 - 1e-7 && ratio < 1.0011);
    }
  },
);

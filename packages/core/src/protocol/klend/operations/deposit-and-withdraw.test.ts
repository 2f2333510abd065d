import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleLendingContext,
  exampleReserve,
  exampleSolReserve,
  groupMarket,
  groupObligation,
  SOL_RESERVE,
  USDC_RESERVE,
  withElevationGroup,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toAddress } from '../../../base/encoding/address.ts';
import { depositAndWithdraw } from './combined-operations.ts';
import { deposit } from './deposit.ts';
import { elementAt, findDepositIndex, isDeposit } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';

const OTHER_RESERVE = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');

/** A group with at most one deposit: SOL as collateral for a USDC debt. */
function inSmallGroup() {
  const context = { ...exampleLendingContext(), market: groupMarket() };
  const reserves = new Map([
    [SOL_RESERVE, withElevationGroup(exampleSolReserve())],
    [USDC_RESERVE, withElevationGroup(exampleReserve())],
    [OTHER_RESERVE, withElevationGroup(exampleSolReserve())],
  ]);
  const position = refreshObligation({ obligation: groupObligation(1), reserves }, context);
  const index = findDepositIndex(position.obligation, SOL_RESERVE);
  const { depositedAmount } = elementAt(position.obligation.deposits, index);
  return { context, position, depositedAmount };
}

test('the only deposit of a group can be swapped fully for another', () => {
  const { context, position, depositedAmount } = inSmallGroup();
  const amount = 2n * depositedAmount;
  const request = { depositReserve: OTHER_RESERVE, amount, withdrawReserve: SOL_RESERVE };
  const swapped = depositAndWithdraw(position, context, {
    ...request,
    collateral: depositedAmount,
  });
  const left = swapped.obligation.deposits.filter(isDeposit);
  expect(left.map(({ depositReserve }) => depositReserve)).toEqual([OTHER_RESERVE]);
  expect(swapped.collateral).toBe(depositedAmount);
});

test('a swap that leaves more deposits than allowed throws', () => {
  const { context, position, depositedAmount } = inSmallGroup();
  const amount = 2n * depositedAmount;
  const reason = 'ObligationCollateralExceedsElevationGroupLimit';
  const part = () =>
    depositAndWithdraw(position, context, {
      depositReserve: OTHER_RESERVE,
      amount,
      withdrawReserve: SOL_RESERVE,
      collateral: depositedAmount / 2n,
    });
  expect(programErrorName(catchError(part))).toBe(reason);
  const alone = () => deposit(position, context, { reserve: OTHER_RESERVE, amount });
  expect(programErrorName(catchError(alone))).toBe(reason);
});

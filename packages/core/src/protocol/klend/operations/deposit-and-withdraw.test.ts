import { expect, test } from 'vitest';
import { programErrorName } from '../../../../../../test/support/errors/program-error-name.ts';
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
import { deposit } from './deposit.ts';
import { depositAndWithdraw } from './deposit-and-withdraw.ts';
import { elementAt, findDepositIndex, isDeposit } from './position.ts';
import { refreshObligation } from './refresh-obligation.ts';

const OTHER_RESERVE = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');

/** In a group that takes one deposit: SOL, which backs a debt of USDC. */
function inSmallGroup() {
  const terms = { ...exampleLendingContext(), market: groupMarket() };
  const reserves = new Map([
    [SOL_RESERVE, withElevationGroup(exampleSolReserve())],
    [USDC_RESERVE, withElevationGroup(exampleReserve())],
    [OTHER_RESERVE, withElevationGroup(exampleSolReserve())],
  ]);
  const position = refreshObligation({ obligation: groupObligation(1), reserves }, terms);
  const place = findDepositIndex(position.obligation, SOL_RESERVE);
  const { depositedAmount } = elementAt(position.obligation.deposits, place);
  return { terms, position, depositedAmount };
}

test('a group that takes one deposit lets it be swapped whole for another', () => {
  const { terms, position, depositedAmount } = inSmallGroup();
  const amount = 2n * depositedAmount;
  const request = { depositReserve: OTHER_RESERVE, amount, withdrawReserve: SOL_RESERVE };
  const swapped = depositAndWithdraw(position, terms, { ...request, collateral: depositedAmount });
  const left = swapped.obligation.deposits.filter(isDeposit);
  expect(left.map(({ depositReserve }) => depositReserve)).toEqual([OTHER_RESERVE]);
  expect(swapped.collateral).toBe(depositedAmount);
});

test('a swap that would leave two deposits where one is allowed is refused', () => {
  const { terms, position, depositedAmount } = inSmallGroup();
  const amount = 2n * depositedAmount;
  const reason = 'ObligationCollateralExceedsElevationGroupLimit';
  const part = () =>
    depositAndWithdraw(position, terms, {
      ...{ depositReserve: OTHER_RESERVE, amount, withdrawReserve: SOL_RESERVE },
      collateral: depositedAmount / 2n,
    });
  expect(programErrorName(part)).toBe(reason);
  const alone = () => deposit(position, terms, { reserve: OTHER_RESERVE, amount });
  expect(programErrorName(alone)).toBe(reason);
});

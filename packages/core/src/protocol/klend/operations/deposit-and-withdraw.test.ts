import { expect, test } from 'vitest';
import { refusalOf } from '../../../../../../test/support/errors/program-error-name.ts';
import {
  exampleReserve,
  exampleSolReserve,
  exampleTerms,
  groupMarket,
  groupObligation,
  inGroup,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toAddress } from '../../../base/encoding/address.ts';
import { deposit } from './deposit.ts';
import { depositAndWithdraw } from './deposit-and-withdraw.ts';
import { depositPlace, isDeposit, itemAt } from './position.ts';
import { refreshObligation } from './refresh-obligation.ts';

const OTHER_RESERVE = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');

/** In a group that takes one deposit: SOL, which backs a debt of USDC. */
function inSmallGroup() {
  const terms = { ...exampleTerms(), market: groupMarket() };
  const reserves = new Map([
    [SOL_RESERVE, inGroup(exampleSolReserve())],
    [USDC_RESERVE, inGroup(exampleReserve())],
    [OTHER_RESERVE, inGroup(exampleSolReserve())],
  ]);
  const position = refreshObligation({ obligation: groupObligation(1), reserves }, terms);
  const place = depositPlace(position.obligation, SOL_RESERVE);
  const { depositedAmount } = itemAt(position.obligation.deposits, place);
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
  expect(refusalOf(part)).toBe(reason);
  const alone = () => deposit(position, terms, { reserve: OTHER_RESERVE, amount });
  expect(refusalOf(alone)).toBe(reason);
});

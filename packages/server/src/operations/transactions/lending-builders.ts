import { toAddress } from '@tidegate/core/base';
import {
  type Builder,
  borrowBuilder,
  depositBuilder,
  type LendingActionKind,
  type LendingRequest,
  loanAddressesOf,
  parseLendingRequest,
  repayBuilder,
  simulateLending,
  withdrawBuilder,
} from '@tidegate/core/builders';
import { type Static, Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, AmountOrAllString, AmountString } from '../../http/schemas/primitives.ts';
import {
  MarketParameter,
  ReserveParameter,
  WalletParameter,
} from '../../support/schemas/address-parameters.ts';
import type { BuilderAction } from './builder/builder-action.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { defineBuilder } from './builder/define-builder.ts';

const addresses = {
  wallet: WalletParameter,
  market: MarketParameter,
  reserve: ReserveParameter,
  loan: Type.Optional(
    describe(AddressString, 'Address of an existing loan of the wallet; the plain loan by default'),
  ),
};

const LendingActionRequest = Type.Object(
  { ...addresses, amount: AmountString, ...computeBudgetFields },
  { title: 'LendingActionRequest' },
);

const LendingExitRequest = Type.Object(
  { ...addresses, amount: AmountOrAllString, ...computeBudgetFields },
  { title: 'LendingExitRequest' },
);

const deposit = defineBuilder({
  name: 'LendDeposit',
  path: '/ktx/klend/deposit',
  purpose: 'deposit into a reserve',
  description:
    'Creates the plain loan if the wallet has none in the market and names none. SOL is wrapped.',
  body: LendingActionRequest,
  action: lendingAction('deposit', depositBuilder),
});

const borrow = defineBuilder({
  name: 'LendBorrow',
  path: '/ktx/klend/borrow',
  purpose: 'borrow from a reserve',
  description: 'Borrowed SOL is unwrapped.',
  body: LendingActionRequest,
  action: lendingAction('borrow', borrowBuilder),
});

const repay = defineBuilder({
  name: 'LendRepay',
  path: '/ktx/klend/repay',
  purpose: 'repay a debt',
  description:
    'Never takes more than the debt. To repay everything takes the debt at the time of execution.',
  body: LendingExitRequest,
  action: lendingAction('repay', repayBuilder),
});

const withdraw = defineBuilder({
  name: 'LendWithdraw',
  path: '/ktx/klend/withdraw',
  purpose: 'withdraw a deposit',
  description:
    'The amount is in the token of the reserve, not in cTokens. The last withdrawal closes the loan. Withdrawn SOL is unwrapped.',
  body: LendingExitRequest,
  action: lendingAction('withdraw', withdrawBuilder),
});

export const { transaction: buildLendDepositTx, instructions: buildLendDepositIxs } = deposit;
export const { transaction: buildLendBorrowTx, instructions: buildLendBorrowIxs } = borrow;
export const { transaction: buildLendRepayTx, instructions: buildLendRepayIxs } = repay;
export const { transaction: buildLendWithdrawTx, instructions: buildLendWithdrawIxs } = withdraw;

function lendingAction(
  kind: LendingActionKind,
  builder: Builder<LendingRequest>,
): BuilderAction<Static<typeof LendingActionRequest>, LendingRequest> {
  return {
    builder,
    readsNamedAccounts: true,
    parse: ({ wallet, market, reserve, amount, loan }, state) => {
      const fields = {
        wallet: toAddress(wallet),
        market: toAddress(market),
        reserve: toAddress(reserve),
        amount,
        loan: loan === undefined ? undefined : toAddress(loan),
      };
      return parseLendingRequest(kind, fields, state);
    },
    simulateLocally: (request, context) => simulateLending(kind, request, context),
    loanAddressesOf: (request, state) => loanAddressesOf(kind, request, state),
  };
}

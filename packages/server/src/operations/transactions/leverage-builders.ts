import { toAddress } from '@tidegate/core/base';
import {
  deleverageBuilder,
  leveragedLoanAddresses,
  multiplyBuilder,
  parseDeleverageRequest,
  parseMultiplyRequest,
  simulateDeleverage,
  simulateMultiply,
} from '@tidegate/core/builders';
import { type Static, Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, AmountOrAllString, AmountString } from '../../http/schemas/primitives.ts';
import { MarketParameter, WalletParameter } from '../../support/schemas/address-parameters.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { defineBuilder } from './builder/define-builder.ts';
import { parseSwap, Swap } from './builder/swap-schema.ts';

const leverageFields = {
  wallet: WalletParameter,
  market: MarketParameter,
  collateralReserve: describe(AddressString, 'Reserve of the collateral'),
  debtReserve: describe(AddressString, 'Reserve of the debt'),
  loan: Type.Optional(
    describe(AddressString, 'Address of an existing loan of the wallet; the plain loan by default'),
  ),
  swap: Swap,
  ...computeBudgetFields,
};

const MultiplyRequest = Type.Object(
  {
    ...leverageFields,
    loanKind: Type.Optional(
      Type.Unsafe<'vanilla' | 'multiply' | 'leverage'>({
        type: 'string',
        enum: ['vanilla', 'multiply', 'leverage'],
        default: 'vanilla',
        description: 'Kind of the loan, which is created if needed; ignored with loan',
      }),
    ),
    depositAmount: Type.Optional(
      describe(AmountString, 'Own collateral to deposit, in whole tokens; none by default'),
    ),
    flashLoanAmount: describe(
      AmountString,
      'Collateral of the flash loan, in whole tokens; it is deposited as well',
    ),
    borrowAmount: describe(AmountString, 'Debt to borrow, in whole tokens: the input of the swap'),
  },
  { title: 'MultiplyRequest' },
);

const DeleverageRequest = Type.Object(
  {
    ...leverageFields,
    repayAmount: Type.Unsafe<string>({
      ...AmountOrAllString,
      description: 'Debt to repay with a flash loan, in whole tokens; U64::MAX for all of it',
    }),
    withdrawAmount: Type.Unsafe<string>({
      ...AmountOrAllString,
      description:
        'Collateral to withdraw, in whole tokens: the input of the swap; U64::MAX for all of it',
    }),
  },
  { title: 'DeleverageRequest' },
);

const SWAP_RULES =
  'The swap is given by the caller: instructions that only the wallet signs, none of the lending, vault, farms and oracle programs, no compute budget and no approval (SWAP_NOT_ACCEPTED). It must leave SOL wrapped. The preview has the loan before and after; a local preview assumes that the swap returns exactly what the flash loan costs. With the instructions form, the flash repayment names the index of the flash loan: put nothing before it.';

export const { transaction: buildMultiplyTx, instructions: buildMultiplyIxs } = defineBuilder({
  name: 'Multiply',
  path: '/ktx/klend/multiply',
  purpose: 'increase a leveraged position',
  description: `Takes a flash loan of collateral, deposits it with own collateral, borrows, swaps the debt to collateral, and repays the flash loan. ${SWAP_RULES}`,
  body: MultiplyRequest,
  action: {
    builder: multiplyBuilder,
    readsNamedAccounts: true,
    parse: (body, state) =>
      parseMultiplyRequest(
        {
          ...toLeverageFields(body),
          loanKind: body.loanKind,
          depositAmount: body.depositAmount,
          flashLoanAmount: body.flashLoanAmount,
          borrowAmount: body.borrowAmount,
        },
        state,
      ),
    simulateLocally: simulateMultiply,
    loanAddressesOf: leveragedLoanAddresses,
  },
});

export const { transaction: buildDeleverageTx, instructions: buildDeleverageIxs } = defineBuilder({
  name: 'Deleverage',
  path: '/ktx/klend/deleverage',
  purpose: 'reduce or close a leveraged position',
  description: `Takes a flash loan of the debt, repays with it, withdraws collateral, swaps it to the debt, and repays the flash loan. ${SWAP_RULES}`,
  body: DeleverageRequest,
  action: {
    builder: deleverageBuilder,
    readsNamedAccounts: true,
    parse: (body, state) =>
      parseDeleverageRequest(
        {
          ...toLeverageFields(body),
          repayAmount: body.repayAmount,
          withdrawAmount: body.withdrawAmount,
        },
        state,
      ),
    simulateLocally: simulateDeleverage,
    loanAddressesOf: leveragedLoanAddresses,
  },
});

type LeverageBody = Pick<
  Static<typeof MultiplyRequest>,
  'wallet' | 'market' | 'collateralReserve' | 'debtReserve' | 'loan' | 'swap'
>;

const toLeverageFields = (body: LeverageBody) => ({
  wallet: toAddress(body.wallet),
  market: toAddress(body.market),
  collateralReserve: toAddress(body.collateralReserve),
  debtReserve: toAddress(body.debtReserve),
  loan: body.loan === undefined ? undefined : toAddress(body.loan),
  swap: parseSwap(body.swap),
});

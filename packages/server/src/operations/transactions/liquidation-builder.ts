import { toAddress } from '@tidegate/core/base';
import {
  liquidatedLoanAddresses,
  liquidationBuilder,
  parseLiquidationRequest,
  simulateLiquidation,
} from '@tidegate/core/builders';
import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, AmountOrAllString, AmountString } from '../../http/schemas/primitives.ts';
import { MarketParameter } from '../../support/schemas/address-parameters.ts';
import { computeBudgetFields } from './builder/builder-schemas.ts';
import { defineBuilder } from './builder/define-builder.ts';

const LiquidationRequest = Type.Object(
  {
    wallet: describe(AddressString, 'Address of the liquidator'),
    market: MarketParameter,
    loan: describe(AddressString, 'Address of the obligation to liquidate, of any owner'),
    repayReserve: describe(AddressString, 'Reserve of the debt that is repaid'),
    withdrawReserve: describe(AddressString, 'Reserve of the deposit that is seized'),
    amount: Type.Unsafe<string>({
      ...AmountOrAllString,
      description:
        'Debt to repay, in whole tokens; U64::MAX for as much as the program allows when the transaction lands',
    }),
    minReceivedAmount: Type.Optional(
      describe(
        AmountString,
        'The transaction fails if it pays less of the seized token, in whole tokens',
      ),
    ),
    ...computeBudgetFields,
  },
  { title: 'LiquidationRequest' },
);

export const { transaction: buildLiquidationTx, instructions: buildLiquidationIxs } = defineBuilder(
  {
    name: 'Liquidation',
    path: '/ktx/klend/liquidate',
    purpose: 'liquidate a loan',
    description:
      'Repays a debt of a loan that can be liquidated for a part of its collateral and a bonus. Refused with KLEND_LOAN_NOT_LIQUIDATABLE if the program would reject it at the slot of the state, and with KLEND_LIQUIDATION_AMOUNT for an amount above what can be repaid at once, or below what must be. Missing token accounts are created, SOL is wrapped and unwrapped. What the reserve cannot pay now is received as cTokens. The preview has the loan before and after.',
    body: LiquidationRequest,
    action: {
      builder: liquidationBuilder,
      readsNamedAccounts: true,
      parse: (body, state) =>
        parseLiquidationRequest(
          {
            wallet: toAddress(body.wallet),
            market: toAddress(body.market),
            loan: toAddress(body.loan),
            repayReserve: toAddress(body.repayReserve),
            withdrawReserve: toAddress(body.withdrawReserve),
            amount: body.amount,
            minReceivedAmount: body.minReceivedAmount,
          },
          state,
        ),
      simulateLocally: simulateLiquidation,
      loanAddressesOf: (request) => liquidatedLoanAddresses(request),
    },
  },
);

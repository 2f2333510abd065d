import type { LoanLiquidation } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import { ReserveParameter } from '../../support/schemas/address-parameters.ts';

const decimal = (description: string) => describe(DecimalString, description);

export const Liquidation = Type.Object(
  {
    repayReserve: ReserveParameter,
    repayToken: Type.String({ description: 'Symbol of the repaid token' }),
    withdrawReserve: ReserveParameter,
    withdrawToken: Type.String({ description: 'Symbol of the seized token' }),
    reason: Type.Union(
      [
        Type.Literal('ltvExceeded'),
        Type.Literal('individualDeleveraging'),
        Type.Literal('marketWideDeleveraging'),
        Type.Literal('debtMaturity'),
        Type.Literal('debtTerm'),
        Type.Literal('obligationOrder'),
      ],
      {
        description:
          'ltvExceeded: above the liquidation threshold; individualDeleveraging: marked by the market; marketWideDeleveraging: a reserve is above its limit; debtMaturity and debtTerm: the debt is due; obligationOrder: an order of the owner',
      },
    ),
    bonus: decimal('Bonus of the liquidator, as a part of the repaid value'),
    repayAmount: decimal('The most that can be repaid, in whole tokens'),
    repayUsdValue: decimal('USD'),
    seizedAmount: decimal('What the loan loses then, in whole tokens'),
    seizedUsdValue: decimal('USD'),
    receivedAmount: decimal(
      'What the liquidator is paid after the fee of the protocol, in whole tokens',
    ),
    receivedCollateralAmount: decimal(
      'What the liquidator receives as cTokens because the reserve cannot pay it now, in whole tokens of the reserve',
    ),
    profitUsdValue: decimal('USD: value received minus value repaid, before the costs of a swap'),
  },
  { title: 'LoanLiquidation' },
);

export const liquidationJson = (each: LoanLiquidation): Static<typeof Liquidation> => ({
  repayReserve: each.repayReserve.address,
  repayToken: each.repayReserve.symbol,
  withdrawReserve: each.withdrawReserve.address,
  withdrawToken: each.withdrawReserve.symbol,
  reason: each.reason,
  bonus: formatLiveRatio(each.bonus),
  repayAmount: formatLiveRatio(each.repaid),
  repayUsdValue: formatLiveRatio(each.repaidValue),
  seizedAmount: formatLiveRatio(each.seized),
  seizedUsdValue: formatLiveRatio(each.seizedValue),
  receivedAmount: formatLiveRatio(each.received),
  receivedCollateralAmount: formatLiveRatio(each.receivedAsCollateral),
  profitUsdValue: formatLiveRatio(each.profitValue),
});

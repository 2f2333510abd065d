import { type Static, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { DecimalString } from '../../../http/schemas/primitives.ts';

const interest = {
  ts: Type.Number({
    description: 'Time of the snapshot up to which interest is counted, epoch ms',
  }),
  solFees: describe(DecimalString, 'Interest in SOL at the price of that time'),
  usdFees: describe(DecimalString, 'Interest in USD at the price of that time'),
};

const InterestTotal = Type.Object(interest, { title: 'InterestTotal' });

const InterestPoint = Type.Object(
  {
    ...interest,
    nativeFees: describe(DecimalString, 'Interest in whole tokens of the reserve'),
  },
  { title: 'InterestPoint' },
);

type ByReserve = Record<string, Static<typeof InterestPoint>>;

const InterestPointByReserve = Type.Unsafe<ByReserve>({
  type: 'object',
  additionalProperties: InterestPoint,
  title: 'InterestPointByReserve',
});

const InterestTotalByObligation = Type.Unsafe<Record<string, Static<typeof InterestTotal>>>({
  type: 'object',
  additionalProperties: InterestTotal,
  title: 'InterestTotalByObligation',
});

const InterestHistoryByObligation = Type.Unsafe<Record<string, ByReserve[]>>({
  type: 'object',
  additionalProperties: { type: 'array', items: InterestPointByReserve },
  title: 'InterestHistoryByObligation',
});

export const InterestEarnedReport = Type.Object(
  {
    totalFeesEarnedObligation: describe(
      InterestTotalByObligation,
      'Total interest earned on deposits, by obligation address',
    ),
    historicalFeesObligation: describe(
      InterestHistoryByObligation,
      'Interest by obligation address; each entry maps reserves to the interest of an interval',
    ),
  },
  { title: 'InterestEarnedReport' },
);

export const InterestPaidReport = Type.Object(
  {
    totalFeesPaidObligation: describe(
      InterestTotalByObligation,
      'Total interest paid on debts, by obligation address',
    ),
    historicalFeesObligation: describe(
      InterestHistoryByObligation,
      'Interest by obligation address; each entry maps reserves to the interest of an interval',
    ),
  },
  { title: 'InterestPaidReport' },
);

import { type Static, Type } from 'typebox';
import { DecimalString } from '../../../http/schemas/primitives.ts';

const interest = { ts: Type.Number(), solFees: DecimalString, usdFees: DecimalString };

const InterestTotal = Type.Object(interest, { title: 'InterestTotal' });

const InterestPoint = Type.Object(
  { ...interest, nativeFees: DecimalString },
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
    totalFeesEarnedObligation: InterestTotalByObligation,
    historicalFeesObligation: InterestHistoryByObligation,
  },
  { title: 'InterestEarnedReport' },
);

export const InterestPaidReport = Type.Object(
  {
    totalFeesPaidObligation: InterestTotalByObligation,
    historicalFeesObligation: InterestHistoryByObligation,
  },
  { title: 'InterestPaidReport' },
);

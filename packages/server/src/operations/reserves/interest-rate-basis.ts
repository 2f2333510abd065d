import { Type } from 'typebox';

export const InterestRateBasisString = Type.Union(
  [Type.Literal('legacy'), Type.Literal('trueApr')],
  {
    description:
      "How the reserve charges interest: legacy per slot, at two slots per second; trueApr per second of the chain's clock",
  },
);

import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

const PriceMove = Type.Object(
  {
    change: describe(DecimalString, 'As a fraction of the earlier price; negative for a fall'),
    start: describe(IsoInstant, 'Time of the earlier price, UTC'),
    end: describe(IsoInstant, 'Time of the later price, UTC'),
  },
  { title: 'PriceMove' },
);

const NullableMove = Type.Union([PriceMove, Type.Null()]);

/** Unknown without two prices. */
const countOf = (moves: string) =>
  describe(
    Type.Union([Type.Number(), Type.Null()]),
    `${moves} by \`size\` or more; each begins after the end of the one before. null if fewer than two hours are recorded`,
  );

const PriceMovesWithin = Type.Object(
  {
    hours: Type.Number({ description: 'Longest time between the two prices of a move' }),
    largestFall: describe(
      NullableMove,
      'null if the price never fell, or fewer than two hours are recorded',
    ),
    largestRise: describe(
      NullableMove,
      'null if the price never rose, or fewer than two hours are recorded',
    ),
    falls: countOf('Falls'),
    rises: countOf('Rises'),
  },
  { title: 'PriceMovesWithin' },
);

export const PriceMoves = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the token'),
    against: describe(
      Type.Union([AddressString, Type.Null()]),
      'Mint of the token that the price is measured in; null for USD',
    ),
    size: describe(DecimalString, 'Fraction of the earlier price from which on a move is counted'),
    sampledHours: Type.Number({
      description: 'Hours of the last 365 days whose price is recorded; 0 if nothing is known',
    }),
    firstSample: describe(
      Type.Union([IsoInstant, Type.Null()]),
      'Time of the first recorded price of the last 365 days, UTC; null without one',
    ),
    windows: describe(Type.Array(PriceMovesWithin), 'Within an hour, a day and seven days'),
  },
  { title: 'PriceMoves' },
);

export const PriceMovesQuery = Type.Object({
  against: describe(
    Type.Optional(AddressString),
    'Mint of the token to measure the price in; USD if omitted',
  ),
  size: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,3})(\\.[0-9]{1,20})?$',
      default: '0.1',
      description: 'Count moves of this fraction of the earlier price or more',
    }),
  ),
});

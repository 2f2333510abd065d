import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';

const TRUE_VALUES = ['1', 'true', 'yes', 'on', 'y', 'enabled'];
const FALSE_VALUES = ['0', 'false', 'no', 'off', 'n', 'disabled'];

/** A boolean query parameter in any of the spellings that callers use. */
export const FlagString = Type.Unsafe<string>({
  type: 'string',
  enum: [...TRUE_VALUES, ...FALSE_VALUES],
  default: 'false',
});

export const parseFlag = (value: string | undefined): boolean =>
  TRUE_VALUES.includes(value ?? 'false');

export const NextPageToken = Type.Optional(
  Type.String({ description: 'Token of the next page; absent on the last page' }),
);

export const PageToken = Type.Optional(
  Type.String({ description: 'Token of the previous page; omit for the first page' }),
);

const instant = { anyOf: [{ type: 'string' }, { type: 'number' }] };

/** Body of a query for the events of one instruction. */
export const EventQueryRequest = Type.Object({
  start: describe(
    Type.Optional(Type.Unsafe<string | number>(instant)),
    'Start of the range, inclusive: a date or epoch ms; omit for no limit',
  ),
  end: describe(
    Type.Optional(Type.Unsafe<string | number>(instant)),
    'End of the range, exclusive: a date or epoch ms; now if omitted',
  ),
  instruction: Type.String({ description: 'Name of the instruction to list' }),
  paginationToken: PageToken,
});

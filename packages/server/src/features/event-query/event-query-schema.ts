import { Type } from 'typebox';

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

/** Absent on the last page. */
export const PaginationToken = Type.Optional(Type.String());

const instant = { anyOf: [{ type: 'string' }, { type: 'number' }] };

/** Body of a query for the events of one instruction. */
export const EventQueryRequest = Type.Object({
  start: Type.Optional(Type.Unsafe<string | number>(instant)),
  end: Type.Optional(Type.Unsafe<string | number>(instant)),
  instruction: Type.String(),
  paginationToken: PaginationToken,
});

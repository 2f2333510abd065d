import { Type } from 'typebox';

/** Exactly `true` or `false`, as text. */
export const BooleanString = Type.Unsafe<'true' | 'false'>({
  type: 'string',
  enum: ['true', 'false'],
  default: 'false',
});

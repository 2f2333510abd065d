import { Type } from 'typebox';

/** The string `true` or `false`. */
export const BooleanString = Type.Unsafe<'true' | 'false'>({
  type: 'string',
  enum: ['true', 'false'],
  default: 'false',
});

import { Type } from 'typebox';
import { DecimalString } from '../../http/schemas/primitives.ts';

export const UsdSolAmount = Type.Object(
  { usd: DecimalString, sol: DecimalString },
  { title: 'UsdSolAmount' },
);

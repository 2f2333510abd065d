import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString } from '../../http/schemas/primitives.ts';

export const UsdSolAmount = Type.Object(
  { usd: describe(DecimalString, 'In USD'), sol: describe(DecimalString, 'In SOL') },
  { title: 'UsdSolAmount' },
);

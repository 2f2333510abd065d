import { Type } from 'typebox';
import { OpenObject } from './primitives.ts';

export const ValidationError = Type.Object(
  {
    error: Type.String(),
    details: Type.Optional(Type.Array(OpenObject)),
  },
  { title: 'ValidationError' },
);

export const NotFoundError = Type.Object({ metadata: Type.String() }, { title: 'NotFoundError' });

export const InternalError = Type.Object({ error: Type.String() }, { title: 'InternalError' });

export const BuilderError = Type.Object(
  {
    statusCode: Type.Number(),
    message: Type.String(),
    error: Type.String(),
    code: Type.Optional(Type.Unknown()),
  },
  { title: 'BuilderError' },
);

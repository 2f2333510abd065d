import { Type } from 'typebox';
import { describe } from './describe.ts';
import { OpenObject } from './primitives.ts';

const message = Type.String({ description: 'What is wrong and what to do' });

export const ValidationError = Type.Object(
  {
    error: message,
    details: Type.Optional(
      Type.Array(OpenObject, { description: 'One entry per issue: code, path and message' }),
    ),
  },
  { title: 'ValidationError' },
);

export const NotFoundError = Type.Object(
  { metadata: Type.String({ description: 'What was not found' }) },
  { title: 'NotFoundError' },
);

export const InternalError = Type.Object({ error: message }, { title: 'InternalError' });

export const UnavailableError = Type.Object(
  {
    error: message,
    code: Type.Optional(
      Type.String({ description: 'Why the data is missing, such as HISTORY_INCOMPLETE' }),
    ),
  },
  { title: 'UnavailableError' },
);

export const BuilderError = Type.Object(
  {
    statusCode: Type.Number({ description: 'HTTP status' }),
    message,
    error: Type.String({ description: 'Name of the HTTP status' }),
    code: Type.Optional(
      describe(Type.Unknown(), 'Code of the error, such as KLEND_RESERVE_NOT_FOUND; a string'),
    ),
  },
  { title: 'BuilderError' },
);

import { CodedError } from '@tidegate/core/base';
import type { FastifyInstance } from 'fastify';
import { findRepeatedJsonKeys } from './repeated-json-keys.ts';

/** Parses JSON bodies. Rejects repeated keys and keys that change the prototype. */
export function addJsonBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      void parse(request, text, (error, value) => {
        if (error !== null) done(error);
        else done(findRepeatedKeyError(text), value);
      });
    },
  );
}

function findRepeatedKeyError(text: string): CodedError | null {
  const issues = findRepeatedJsonKeys(text).map((key) => ({
    path: [key],
    code: 'repeated',
    message: `${key} must not be repeated`,
  }));
  return issues.length === 0 ? null : new CodedError('INVALID_BODY', { issues });
}

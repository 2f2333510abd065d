import { CodedError } from '@tidegate/core/base';
import type { FastifyInstance } from 'fastify';
import { findRepeatedJsonKeys } from './repeated-json-keys.ts';

/** Bodies are read as JSON that says everything once; names that change an object's prototype are no JSON to us. */
export function addJsonBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      void parse(request, text, (error, value) => {
        if (error !== null) done(error);
        else done(refusalOf(text), value);
      });
    },
  );
}

function refusalOf(text: string): CodedError | null {
  const issues = findRepeatedJsonKeys(text).map((key) => ({
    path: [key],
    code: 'repeated',
    message: `${key} must be given once`,
  }));
  return issues.length === 0 ? null : new CodedError('INVALID_BODY', { issues });
}

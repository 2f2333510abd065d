import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CodedError } from '../errors.ts';
import { findRepeatedJsonKeys } from './repeated-json-keys.ts';

/** Parses JSON bodies. Rejects compressed bodies, repeated keys and keys that change the prototype. */
export function addJsonBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      if (text === '' && request.method === 'DELETE') return done(null);
      if (isEncoded(request)) return done(new CodedError('UNSUPPORTED_MEDIA_TYPE', {}));
      void parse(request, text, (error, value) => {
        if (error !== null) done(error);
        else done(findRepeatedKeyError(text), value);
      });
    },
  );
}

/** Bodies are small, so that nothing is gained by decompressing them. */
const isEncoded = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

function findRepeatedKeyError(text: string): CodedError | null {
  const issues = findRepeatedJsonKeys(text).map((key) => ({
    path: [key],
    code: 'repeated',
    message: `${key} must not be repeated`,
  }));
  return issues.length === 0 ? null : new CodedError('INVALID_BODY', { issues });
}

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Operation } from '../operation.ts';

/** Longer keys are replaced by their hash: V8 gives long strings of one length the same place in a map. */
const MAX_KEY_LENGTH = 1024;

/** Requests with the same key have the same response. Call it after validation, which sets defaults. */
export function createResponseKey(
  { operationId }: Pick<Operation, 'operationId'>,
  { params, query }: Pick<FastifyRequest, 'params' | 'query'>,
): string {
  const key = JSON.stringify([operationId, params, query]);
  return key.length > MAX_KEY_LENGTH ? createHash('sha256').update(key).digest('base64') : key;
}

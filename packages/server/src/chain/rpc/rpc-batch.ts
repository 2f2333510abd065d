import { CodedError } from '../../errors.ts';
import { parseRpcError, wrapAsSourceError } from './json-rpc.ts';
import { isResponseObject, parseJson, requireObject } from './response-values.ts';
import { toSourceError } from './rpc-errors.ts';
import { exchangeText, type RpcEndpoint } from './rpc-exchange.ts';

/** Calls of one method that are sent in one request. */
export type BatchedCalls = {
  readonly method: string;
  /** The parameters of each call; at least one. */
  readonly params: readonly (readonly unknown[])[];
  readonly timeoutMs: number;
};

/**
 * Sends a JSON-RPC batch and returns the results in the order of the calls. Throws the error of the first call that
 * failed, or SOURCE_REFUSES if the endpoint accepts no batches.
 */
export type RpcBatch = (calls: BatchedCalls) => Promise<readonly unknown[]>;

export function createRpcBatch(endpoint: RpcEndpoint): RpcBatch {
  const { meter } = endpoint;
  return async (calls) => {
    const { method } = calls;
    if (meter === undefined) return await sendBatch(endpoint, calls);
    return await meter.measure({ method, calls: calls.params.length }, (onTransferred) =>
      sendBatch(endpoint, calls, onTransferred),
    );
  };
}

async function sendBatch(
  endpoint: RpcEndpoint,
  { method, params, timeoutMs }: BatchedCalls,
  onTransferred?: Parameters<typeof exchangeText>[1]['onTransferred'],
): Promise<readonly unknown[]> {
  const { name } = endpoint;
  const requests = params.map((each, id) => ({ jsonrpc: '2.0', id, method, params: each }));
  const text = JSON.stringify(requests);
  try {
    const body = parseJson(
      await exchangeText(endpoint, { text, timeoutMs, onTransferred }),
      'response',
    );
    if (!Array.isArray(body)) throw rejectionOf(endpoint, body, method);
    const results = resultsById(endpoint, body, method);
    return params.map((_, id) => {
      if (results.has(id)) return results.get(id);
      const reason = `its response lacks ${params.length - results.size} of ${params.length} calls`;
      throw new CodedError('SOURCE_UNAVAILABLE', { source: name, reason });
    });
  } catch (error) {
    throw error instanceof CodedError ? wrapAsSourceError(error, name) : error;
  }
}

/** Calls may be answered in any order. */
function resultsById(
  { url, name }: RpcEndpoint,
  responses: readonly unknown[],
  method: string,
): ReadonlyMap<number, unknown> {
  const results = new Map<number, unknown>();
  for (const each of responses) {
    const { id, result, error } = requireObject(each, 'response of a call');
    if (error !== undefined && error !== null) {
      throw toSourceError(parseRpcError(error, url), name, method);
    }
    if (typeof id === 'number' && result !== undefined) results.set(id, result);
  }
  return results;
}

/** An endpoint without batches answers with one error, or as if it was one call. */
function rejectionOf(
  { url, name: source }: RpcEndpoint,
  body: unknown,
  method: string,
): CodedError {
  const error = isResponseObject(body) ? body['error'] : undefined;
  const rejection =
    error === undefined || error === null
      ? undefined
      : toSourceError(parseRpcError(error, url), source, method);
  return rejection ?? new CodedError('SOURCE_REFUSES', { source, reason: 'it accepts no batches' });
}

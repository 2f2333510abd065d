import type { JsonData, Slot } from '@tidegate/core/base';
import { CodedError, type ErrorCode } from '../errors/index.ts';

type RpcError = CodedError<'RPC_REFUSAL'>;

/** JSON-RPC errors with the messages of a node. */
export const parseError = (): RpcError => createRpcError(-32700, 'Parse error');

export const invalidRequest = (reason = 'Invalid request'): RpcError =>
  createRpcError(-32600, reason);

export const methodNotFound = (): RpcError => createRpcError(-32601, 'Method not found');

export const invalidParams = (reason: string, data?: string): RpcError =>
  createRpcError(-32602, reason, data);

export const internalError = (): RpcError => createRpcError(-32603, 'Internal error');

/** A value of the right type that is not usable. */
export const invalidParam = (reason: string): RpcError => invalidParams(`Invalid param: ${reason}`);

export const preflightFailure = (reason: string, simulation: JsonData): RpcError =>
  createRpcError(-32002, `Transaction simulation failed: ${reason}`, simulation);

export const signatureVerificationFailure = (): RpcError =>
  createRpcError(-32003, 'Transaction signature verification failure');

export const blockNotAvailable = (slot: bigint): RpcError =>
  createRpcError(-32004, `Block not available for slot ${slot}`);

export const nodeIsBehind = (slots: bigint): RpcError =>
  createRpcError(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots });

/** As a node reports a scan that is too large. */
export const responseTooLarge = (): RpcError =>
  createRpcError(
    -32012,
    'The response is too large. Add filters or a data slice, or send fewer calls at once.',
  );

export const unsupportedTransactionVersion = (version: number): RpcError =>
  createRpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );

export const minContextSlotNotReached = (contextSlot: Slot): RpcError =>
  createRpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });

const ORIGIN_CODES: readonly string[] = [
  'SOURCE_UNAVAILABLE',
  'SOURCE_REFUSES',
  'SOURCE_LAGS',
] satisfies ErrorCode[];

/** A fork that cannot read its origin says so: an account that was not read is not a missing account. */
export async function asOriginError<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CodedError) || !ORIGIN_CODES.includes(error.code)) throw error;
    throw createRpcError(-32603, `The origin of the fork cannot be read: ${error.message}`);
  }
}

function createRpcError(rpcCode: number, reason: string, data?: JsonData): RpcError {
  const context = data === undefined ? { rpcCode, reason } : { rpcCode, reason, data };
  return new CodedError('RPC_REFUSAL', context);
}

import { CodedError, type JsonData, type Slot } from '@tidegate/core/base';

type Refusal = CodedError<'RPC_REFUSAL'>;

/** The errors of a node, in its own words. */
export const parseError = (): Refusal => refusal(-32700, 'Parse error');

export const invalidRequest = (reason = 'Invalid request'): Refusal => refusal(-32600, reason);

export const methodNotFound = (): Refusal => refusal(-32601, 'Method not found');

export const invalidParams = (reason: string, data?: string): Refusal =>
  refusal(-32602, reason, data);

export const internalError = (): Refusal => refusal(-32603, 'Internal error');

/** A value that is of the right type and still not usable. */
export const invalidParam = (reason: string): Refusal => invalidParams(`Invalid param: ${reason}`);

export const preflightFailure = (reason: string, simulation: JsonData): Refusal =>
  refusal(-32002, `Transaction simulation failed: ${reason}`, simulation);

export const signatureVerificationFailure = (): Refusal =>
  refusal(-32003, 'Transaction signature verification failure');

export const blockNotAvailable = (slot: bigint): Refusal =>
  refusal(-32004, `Block not available for slot ${slot}`);

export const nodeIsBehind = (slots: bigint): Refusal =>
  refusal(-32005, `Node is behind by ${slots} slots`, { numSlotsBehind: slots });

export const unsupportedTransactionVersion = (version: number): Refusal =>
  refusal(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );

export const minContextSlotNotReached = (contextSlot: Slot): Refusal =>
  refusal(-32016, 'Minimum context slot has not been reached', { contextSlot });

function refusal(rpcCode: number, reason: string, data?: JsonData): Refusal {
  const context = data === undefined ? { rpcCode, reason } : { rpcCode, reason, data };
  return new CodedError('RPC_REFUSAL', context);
}

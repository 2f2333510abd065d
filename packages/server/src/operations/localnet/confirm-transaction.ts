import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../errors.ts';

/** A slot of the embedded cluster takes 300 ms or more. */
const POLL_MS = 100;
const CONFIRM_TIMEOUT_MS = 15_000;

type Confirmed = { readonly signature: string; readonly slot: bigint };

type RpcResponse<Result> = {
  readonly result?: Result;
  readonly error?: { readonly message: string };
};

type Statuses = {
  readonly value: readonly ({
    readonly slot: number;
    readonly err: unknown;
    readonly confirmationStatus: string;
  } | null)[];
};

/** Sends a signed transaction to the node of the embedded cluster and waits until it is confirmed. */
export async function confirmTransaction(rpcUrl: string, wire: string): Promise<Confirmed> {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const signature = await callNode<string>(rpcUrl, 'sendTransaction', [wire, options]);
  for (let waitedMs = 0; waitedMs < CONFIRM_TIMEOUT_MS; waitedMs += POLL_MS) {
    const { value } = await callNode<Statuses>(rpcUrl, 'getSignatureStatuses', [[signature]]);
    const [status] = value;
    if (status?.err != null) {
      throw new CodedError('TRANSACTION_REJECTED', { reason: JSON.stringify(status.err) });
    }
    if (status != null && status.confirmationStatus !== 'processed') {
      return { signature, slot: BigInt(status.slot) };
    }
    await sleep(POLL_MS);
  }
  throw new CodedError('TIMED_OUT', {});
}

async function callNode<Result>(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as RpcResponse<Result>;
  if (error !== undefined || result === undefined) {
    throw new CodedError('TRANSACTION_REJECTED', { reason: error?.message ?? 'no result' });
  }
  return result;
}

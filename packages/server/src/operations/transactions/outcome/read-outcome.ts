import type { TransactionStatus } from '@tidegate/core/base';
import { type TransactionOutcome, viewTransactionOutcome } from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError, hasCode } from '../../../errors.ts';

type OutcomeStatus = 'pending' | 'landed' | 'failed' | 'expired' | 'unknown';

export type OutcomeRequest = {
  readonly signature: string;
  readonly lastValidBlockHeight: bigint | undefined;
};

/** What the endpoints of a cluster have of a transaction. */
export type ReadOutcome = {
  readonly status: OutcomeStatus;
  readonly node: TransactionStatus;
  /** Undefined if it is in no confirmed block, or the endpoint returns no details of it. */
  readonly details: TransactionOutcome | undefined;
};

/** A failed read throws: only an endpoint that has answered can say that it does not know a transaction. */
export async function readOutcome(
  { signature, lastValidBlockHeight }: OutcomeRequest,
  cluster: Cluster,
): Promise<ReadOutcome> {
  const node = await readStatus({ signature, lastValidBlockHeight }, cluster);
  const status = statusOf(node, lastValidBlockHeight);
  if (status === 'pending') return { status, node, details: undefined };
  // also of an absent one: endpoints have transactions whose status they do not have
  const response = await cluster.findTransaction?.(signature);
  if (response === undefined) return { status, node, details: undefined };
  const details = viewTransactionOutcome(response);
  return { status: details.failure === undefined ? 'landed' : 'failed', node, details };
}

async function readStatus(request: OutcomeRequest, cluster: Cluster): Promise<TransactionStatus> {
  const { env, transactionStatus } = cluster;
  if (transactionStatus === undefined) throw new CodedError('TRANSACTIONS_UNAVAILABLE', { env });
  try {
    return await transactionStatus(request);
  } catch (error) {
    if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
    throw new CodedError('TRANSACTIONS_UNAVAILABLE', { env }, error);
  }
}

function statusOf(
  { found, isExpired, blockHeight }: TransactionStatus,
  lastValidBlockHeight: bigint | undefined,
): OutcomeStatus {
  if (found !== undefined) {
    if (found.confirmation === 'processed') return 'pending';
    return found.error === null ? 'landed' : 'failed';
  }
  if (isExpired) return 'expired';
  const canLand = lastValidBlockHeight !== undefined && blockHeight <= lastValidBlockHeight;
  return canLand ? 'pending' : 'unknown';
}

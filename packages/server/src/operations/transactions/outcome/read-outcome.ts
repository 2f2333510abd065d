import type { TransactionStatus } from '@tidegate/core/base';
import { type TransactionOutcome, viewTransactionOutcome } from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';

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
  if (cluster.transactionStatus === undefined) {
    const reason = 'it has no endpoint to look transactions up';
    throw new CodedError('SOURCE_REFUSES', { source: cluster.env, reason });
  }
  const node = await cluster.transactionStatus({ signature, lastValidBlockHeight });
  const status = statusOf(node, lastValidBlockHeight);
  if (status === 'pending') return { status, node, details: undefined };
  // also of an absent one: endpoints have transactions whose status they do not have
  const response = await cluster.findTransaction?.(signature);
  if (response === undefined) return { status, node, details: undefined };
  const details = viewTransactionOutcome(response);
  return { status: details.failure === undefined ? 'landed' : 'failed', node, details };
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

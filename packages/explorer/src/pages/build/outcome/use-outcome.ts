import type { TransactionOutcome } from '@tidegate/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiRequest, useResource } from '../../../api/resource.ts';
import {
  type HeightSample,
  type Outcome,
  remainingUntil,
  type SentTransaction,
  toOutcome,
} from './outcome.ts';

const PENDING_MS = 1_500;
/** Until its block is finalized, or while it cannot be told what became of it. */
const UNSETTLED_MS = 5_000;
const BLOCKHASH_BLOCKS = 150n;

/**
 * Asks what became of a transaction until that is final. Undefined without a transaction. For several transactions, one after
 * the other: pass the next one when the outcome of the last one is `landed`.
 */
export function useOutcome(sent: SentTransaction | undefined): Outcome | undefined {
  const [pollMs, setPollMs] = useState(PENDING_MS);
  const { data, error } = useResource(sent && outcomeRequest(sent), { pollMs });
  const nextMs = pollMsAfter(data);
  useEffect(() => setPollMs(nextMs), [nextMs]);
  const remainingMs = useRemaining(sent, data);
  return sent && toOutcome({ data, problem: error?.message, remainingMs });
}

const outcomeRequest = ({ signature, lastValidBlockHeight }: SentTransaction) =>
  apiRequest('GET /transactions/{signature}', {
    path: { signature },
    query: lastValidBlockHeight === undefined ? {} : { lastValidBlockHeight },
  });

function pollMsAfter(data: TransactionOutcome | undefined): number {
  if (data === undefined || data.status === 'pending') return PENDING_MS;
  return data.isFinal && !isNewlyExpired(data) ? 0 : UNSETTLED_MS;
}

/** A wallet could have replaced the blockhash before it sent the transaction; a newer one expires later. */
const isNewlyExpired = ({ status, blockHeight, lastValidBlockHeight }: TransactionOutcome) =>
  status === 'expired' &&
  BigInt(blockHeight) <= BigInt(lastValidBlockHeight ?? 0) + BLOCKHASH_BLOCKS;

/** At the speed since the first answer. */
function useRemaining(
  sent: SentTransaction | undefined,
  data: TransactionOutcome | undefined,
): number | undefined {
  const first = useRef<HeightSample & { readonly signature: string }>(undefined);
  if (sent?.lastValidBlockHeight === undefined || data?.signature !== sent.signature) {
    return undefined;
  }
  const { signature, lastValidBlockHeight } = sent;
  const current = { at: Date.now(), blockHeight: BigInt(data.blockHeight) };
  if (first.current?.signature !== signature) first.current = { ...current, signature };
  return remainingUntil(BigInt(lastValidBlockHeight), first.current, current);
}

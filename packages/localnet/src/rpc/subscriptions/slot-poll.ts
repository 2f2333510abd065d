import type { Commitment, Slot } from '@tidegate/core/base';
import type { Json } from '../json.ts';
import type { RpcNode } from '../rpc-node.ts';

/** `isOver`: there will be no more. */
export type PollResult = { readonly results: readonly Json[]; readonly isDone: boolean };

/** What happened since it was asked the last time. */
export type SubscriptionPoll = () => PollResult;

/**
 * What happened slot by slot. A node that falls behind says nothing until it is past what it has said; slots that were
 * undone and come again are told again.
 */
export function createSlotPoll(
  endpoint: RpcNode,
  commitment: Commitment,
  happened: (after: Slot, upTo: Slot) => readonly Json[],
): SubscriptionPoll {
  let last = endpoint.slot(commitment);
  let undone = endpoint.bank.rollBacks.length;
  return () => {
    const { rollBacks } = endpoint.bank;
    for (const slot of rollBacks.slice(undone)) if (slot < last) last = slot;
    undone = rollBacks.length;
    const now = endpoint.slot(commitment);
    if (now <= last) return { results: [], isDone: false };
    const after = last;
    last = now;
    return { results: happened(after, now), isDone: false };
  };
}

import type { Commitment, Slot } from '@tidegate/core/base';
import type { Json } from '../json.ts';
import type { RpcNode } from '../rpc-node.ts';

/** `isDone`: no more results will follow. */
export type PollResult = { readonly results: readonly Json[]; readonly isDone: boolean };

/** Returns the results since the last call. */
export type SubscriptionPoll = () => PollResult;

/**
 * Polls changes by slot. A node that falls behind reports nothing until it catches up; slots that
 * are rolled back and closed again are reported again.
 */
export function createSlotPoll(
  node: RpcNode,
  commitment: Commitment,
  changesOf: (after: Slot, upTo: Slot) => readonly Json[],
): SubscriptionPoll {
  let last = node.slot(commitment);
  let seenRollBacks = node.bank.rollBacks.length;
  return () => {
    const { rollBacks } = node.bank;
    for (const slot of rollBacks.slice(seenRollBacks)) if (slot < last) last = slot;
    seenRollBacks = rollBacks.length;
    const now = node.slot(commitment);
    if (now <= last) return { results: [], isDone: false };
    const after = last;
    last = now;
    return { results: changesOf(after, now), isDone: false };
  };
}

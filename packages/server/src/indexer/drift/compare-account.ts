import type { Slot } from '@tidegate/core/base';
import type { StoredAccountBytes } from '@tidegate/core/state';

/** The account as state has it; undefined if it has none. */
type Stored = Pick<StoredAccountBytes, 'slot' | 'owner' | 'data'> | undefined;

/** A read of an account that was required to be no older than the complete slot of state at its request. */
export type ComparedRead = {
  /** What state had at the request. */
  readonly before: Stored;
  /** What state has now. */
  readonly now: Stored;
  /** The slot as of which the account was read. */
  readonly readSlot: Slot;
  /** The newest complete slot of state now. */
  readonly completeSlot: Slot;
  /** Whether updates may have been missed since the request and are read again. */
  readonly isInterrupted: boolean;
  /** Whether state has what was read. */
  readonly isSame: boolean;
};

/**
 * - `same`: state has what the chain has.
 * - `newer`: the account was written meanwhile, so that the read says nothing.
 * - `undecided`: state may still receive what was read.
 * - `drift`: state claims to have every update up to the slot of the read, and has another content.
 */
export type DriftVerdict = 'same' | 'newer' | 'undecided' | 'drift';

/**
 * Whether state differs from the chain. The slot of a stored account may be lower than that of its content, so the account
 * must also be unchanged in state from the request on: what state had then is not newer than the read.
 */
export function compareAccount(read: ComparedRead): DriftVerdict {
  const { before, now, readSlot, completeSlot, isInterrupted, isSame } = read;
  if (isSame) return 'same';
  if (isInterrupted || completeSlot < readSlot) return 'undecided';
  const isNewer = now !== undefined && now.slot > readSlot;
  return isNewer || hasChanged(before, now) ? 'newer' : 'drift';
}

function hasChanged(before: Stored, now: Stored): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return (
    before.slot !== now.slot ||
    before.owner !== now.owner ||
    Buffer.compare(before.data, now.data) !== 0
  );
}

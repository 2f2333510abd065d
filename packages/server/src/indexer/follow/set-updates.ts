import type { Address, Slot } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { AccountUpdate } from '../../chain/source/chain-source.ts';
import type { AccountSet } from './account-sets.ts';
import type { AccountAgreement } from './checks/account-agreement.ts';
import type { SlotClaims } from './checks/slot-claims.ts';
import type { SlotQueue } from './slot-queue.ts';
import { SlotUpdates } from './slot-updates.ts';

export type SetUpdatesContext = {
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly claims: SlotClaims;
  readonly agreement: AccountAgreement;
  /** Called with an update that a subscription delivered, immediately before state has it. */
  readonly onUpdate?: ((update: AccountUpdate) => void) | undefined;
};

type UpdateOrigin = { readonly isProof: boolean; readonly isStreamed: boolean };

/** Applies updates of a set of accounts when their slot is complete. */
export class SetUpdates {
  readonly #accountSet: AccountSet;
  readonly #context: SetUpdatesContext;
  readonly #queued = new QueuedAddresses();
  readonly #updates = new SlotUpdates();

  constructor(accountSet: AccountSet, context: SetUpdatesContext) {
    this.#accountSet = accountSet;
    this.#context = context;
  }

  /** Whether an update of the account waits for its slot. */
  isQueued(address: Address): boolean {
    return this.#queued.has(address);
  }

  /** Cancels what was not applied yet. Returns whether some of the slot was applied. */
  cancel(slot: Slot): boolean {
    return this.#updates.cancel(slot);
  }

  /**
   * `isProof`: whether a change of a complete slot shows that the slot was not; what is polled may be newer than its slot.
   * `isStreamed`: whether a stream sent it.
   */
  queue(update: AccountUpdate, { isProof, isStreamed }: UpdateOrigin): void {
    const { queue, claims, agreement, onUpdate } = this.#context;
    const { address, slot } = update;
    this.#queued.add(address);
    if (isStreamed) agreement.streamed.note(address, slot);
    const isLate = isProof && queue.isComplete(slot);
    if (isProof && !isLate) claims.noteUpdate(slot);
    const apply = this.#updates.add(slot, () => {
      onUpdate?.(update);
      const isKnown = isLate && this.#isHeld(update);
      if (this.apply(update) && isLate && !isKnown) claims.noteLate(slot);
    });
    const run = () => {
      this.#queued.remove(address);
      apply();
    };
    queue.push({ slot, run });
  }

  /** An account that is followed by address may be of any kind, so `only` restricts it. Returns whether it was applied. */
  apply(update: AccountUpdate): boolean {
    const { state, agreement } = this.#context;
    const { kind, selection } = this.#accountSet;
    const { address, account, slot } = update;
    if (selection.addresses?.has(address) === false || agreement.refuses(update, kind))
      return false;
    // a stream announces every account that a transaction closes, whatever it was
    const isAnyClosed = account === undefined && state.unreadable.get(address) === undefined;
    const isRestricted = selection.addresses !== undefined || isAnyClosed;
    const isOfStream = agreement.streamed.isNewest(address, state) && this.#isHeld(update);
    const isApplied = state.apply(isRestricted ? { ...update, onlyKind: kind } : update);
    // a read that returns what the stream has sent changes only its slot
    if (isApplied) agreement.noteApplied(address);
    if (isApplied && isOfStream) agreement.streamed.note(address, slot);
    return isApplied;
  }

  #isHeld({ address, account }: AccountUpdate): boolean {
    return account !== undefined && this.#context.state.holds(address, account);
  }
}

/** Counts the updates of each account that wait for their slot. */
class QueuedAddresses {
  readonly #counts = new Map<Address, number>();

  has(address: Address): boolean {
    return this.#counts.has(address);
  }

  add(address: Address): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
  }

  remove(address: Address): void {
    const count = this.#counts.get(address) ?? 0;
    if (count > 1) this.#counts.set(address, count - 1);
    else this.#counts.delete(address);
  }
}

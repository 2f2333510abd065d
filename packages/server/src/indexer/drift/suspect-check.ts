import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';
import type { AccountKind, StoredAccountBytes } from '@tidegate/core/state';
import { isTooShort } from '../follow/checks/known-sizes.ts';
import { compareAccount, type DriftVerdict } from './compare-account.ts';
import { BATCH, type DriftContext, isPolling, SLOT_WAIT_MS } from './drift-context.ts';
import type { DriftTally } from './drift-tally.ts';

type SuspectCheckOptions = DriftContext & {
  readonly tally: DriftTally;
  /** An endpoint that is blamed for differences instead of the source of updates. */
  readonly blamed: () => string | undefined;
  /** Called when an account of the kind differed and the source of updates is blamed. */
  readonly onDrift: (kind: AccountKind) => void;
};

type Request = {
  readonly before: readonly (StoredAccountBytes | undefined)[];
  readonly gaps: number;
  /** Where updates came from. */
  readonly step: string;
};

type SuspectRead = {
  readonly address: Address;
  readonly account: ClusterAccount;
  readonly slot: Slot;
};

/** An account that changes all the time is decided by its next update. */
const ATTEMPTS = 3;

/**
 * Reads accounts that seem to differ once more, as a whole, and puts those that do into state: if two endpoints return the
 * same, or the only one does so twice.
 */
export class SuspectCheck {
  readonly #options: SuspectCheckOptions;
  #healed = 0;

  constructor(options: SuspectCheckOptions) {
    this.#options = options;
  }

  /** Accounts that were put right, since the start. */
  get healed(): number {
    return this.#healed;
  }

  /** `kind`: of accounts that state lacks. */
  async run(suspects: readonly Address[], kind: AccountKind | undefined): Promise<void> {
    let rest = suspects;
    for (let attempt = 0; attempt < ATTEMPTS && rest.length > 0; attempt++) {
      const undecided: Address[] = [];
      for (let start = 0; start < rest.length; start += BATCH) {
        undecided.push(...(await this.#check(rest.slice(start, start + BATCH), kind)));
      }
      rest = undecided;
    }
  }

  /** Returns those that are not decided. */
  async #check(
    addresses: readonly Address[],
    kind: AccountKind | undefined,
  ): Promise<readonly Address[]> {
    const { state, followed, step } = this.#options;
    const { queue, gaps, agreement } = followed;
    const before = addresses.map((address) => state.stored(address));
    const request: Request = { before, gaps: gaps(), step: step() };
    const judged = await agreement.compare(addresses, queue.completeSlot);
    const undecided: Address[] = [];
    for (const [i, { address, account, slot, verdict }] of judged.entries()) {
      if (verdict === 'disputed' || account === undefined) continue;
      if (state.unreadable.get(address) !== undefined) continue;
      await queue.waitForSlot(slot, SLOT_WAIT_MS);
      const read = { address, account, slot };
      const drift = this.#compare(read, request, before[i]);
      const ofKind = state.kindOf(address) ?? kind;
      const isDrift = drift === 'drift' && ofKind !== undefined;
      // one endpoint alone does not shorten an account
      if (isDrift && isTooShort(ofKind, account) && !agreement.hasSecond) continue;
      if (isDrift && verdict === 'confirmed') this.#heal(read, ofKind, request.step);
      else if (isDrift || drift === 'undecided') undecided.push(address);
    }
    return undecided;
  }

  #compare(
    { address, account, slot }: SuspectRead,
    { gaps }: Request,
    before: StoredAccountBytes | undefined,
  ): DriftVerdict {
    const { state, followed } = this.#options;
    return compareAccount({
      before,
      now: state.stored(address),
      readSlot: slot,
      completeSlot: followed.queue.completeSlot,
      isInterrupted: followed.isResyncing() || followed.gaps() !== gaps,
      isSame: state.holds(address, account),
    });
  }

  /** State is complete for the slot, so it has the account at once. */
  #heal({ address, account, slot }: SuspectRead, kind: AccountKind, requestStep: string): void {
    const { state, followed, step, tally, log, onDrift, blamed } = this.#options;
    const { queue, sets } = followed;
    let isApplied = false;
    queue.push({
      slot,
      run: () => {
        isApplied = state.apply({ address, account, slot, onlyKind: kind });
      },
    });
    if (isApplied) this.#healed += 1;
    const endpoint = blamed();
    if (isApplied && endpoint !== undefined) {
      log.warn(
        { address, kind, slot, source: endpoint },
        'an account of a wrong endpoint was put right',
      );
      tally.count(kind, endpoint);
      return;
    }
    const isAnnounced = sets()
      .filter(({ accountSet }) => accountSet.kind === kind)
      .every(({ receivesUpdates }) => receivesUpdates);
    // without updates, state has the account of its last read
    if (!isApplied || !isAnnounced || isPolling(step()) || step() !== requestStep) return;
    log.warn({ address, kind, slot, source: step() }, 'an account differed from the chain');
    tally.add(kind, step(), slot);
    onDrift(kind);
  }
}

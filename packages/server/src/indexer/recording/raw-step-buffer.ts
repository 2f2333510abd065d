import type { Address, ChainTime, RawAccount, Slot } from '@tidegate/core/base';
import { type RawStep, RawStepCodec } from '../../history/raw/raw-step-codec.ts';
import type { StepInput } from '../../history/schema/event-tables.ts';
import { PendingChanges } from './pending-changes.ts';

/** Most accounts per row. */
const ACCOUNTS_PER_ROW = 2_000;

/** Raw changes of accounts until they are stored, so that `replay` can derive the rows again. */
export class RawStepBuffer {
  #codec = new RawStepCodec();
  /** Steps since the last rows, encoded as soon as they fill one. */
  #encoded: Uint8Array[] = [];
  #steps: RawStep[] = [];
  #accounts = 0;
  /** Since the last slot. */
  readonly #changes = new PendingChanges(ACCOUNTS_PER_ROW);

  set(address: Address, account: RawAccount | undefined): void {
    this.#changes.set(address, account);
  }

  /** `partial`: more accounts of the first load follow. `sampled`: a minute is sampled with this slot. */
  endSlot(at: ChainTime, kind: 'partial' | 'sampled' | undefined): void {
    const isPartial = kind === 'partial';
    for (const { count, read } of this.#changes.drain()) {
      this.#steps.push({ at, slots: [{ at, accounts: read() }], isPartial });
      this.#accounts += count;
      if (this.#accounts >= ACCOUNTS_PER_ROW) this.#encode();
    }
    if (kind === 'sampled') this.#steps.push({ at, slots: [], sample: 'minute' });
  }

  drainRows({ slot, unix: at }: ChainTime): StepInput[] {
    this.#encode();
    const rows = this.#encoded.map((deflated, part) => ({ slot, part, at, deflated }));
    this.#encoded = [];
    return rows;
  }

  /** Forgets steps after a slot. */
  removeAfter(slot: Slot): void {
    this.#steps = this.#steps.filter(({ at }) => at.slot <= slot);
    // they may have later slots
    this.#encoded = [];
    // what is stored from now on must not refer to deleted versions of accounts
    this.#codec = new RawStepCodec();
  }

  #encode(): void {
    if (this.#steps.length > 0) this.#encoded.push(this.#codec.encode(this.#steps));
    this.#steps = [];
    this.#accounts = 0;
  }
}

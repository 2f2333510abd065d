import { type Address, type RawAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { type RawAccountChange, RawStepCodec } from '../../history/raw/raw-step-codec.ts';

/** Some changes, which may be compressed until they are read. */
type ChangeGroup = { readonly count: number; read(): readonly RawAccountChange[] };

/** The codec stores times, which are not known yet. */
const NO_TIME = { slot: toSlot(0n), unix: toUnixSeconds(0n) };

/**
 * Account changes since the last slot, in order. The first load of a large cluster has hundreds of thousands, so all but
 * the newest are compressed.
 */
export class PendingChanges {
  readonly #groupSize: number;
  #newest = new Map<Address, RawAccount | undefined>();
  #groups: ChangeGroup[] = [];

  constructor(groupSize: number) {
    this.#groupSize = groupSize;
  }

  set(address: Address, account: RawAccount | undefined): void {
    if (this.#newest.size === this.#groupSize) this.#compressNewest();
    this.#newest.set(address, account);
  }

  /** Groups of at most the given size. An account of several groups has its last version in the last of them. */
  drain(): readonly ChangeGroup[] {
    const newest = this.#takeNewest();
    const groups = this.#groups;
    this.#groups = [];
    return newest.length === 0 ? groups : [...groups, { count: newest.length, read: () => newest }];
  }

  #compressNewest(): void {
    const accounts = this.#takeNewest();
    const step = { at: NO_TIME, slots: [{ at: NO_TIME, accounts }] };
    const packed = new RawStepCodec().encode([step]);
    const read = () => new RawStepCodec().decode(packed)[0]?.slots[0]?.accounts ?? [];
    this.#groups.push({ count: accounts.length, read });
  }

  #takeNewest(): readonly RawAccountChange[] {
    const changes = [...this.#newest].map(([address, account]) => ({ address, account }));
    this.#newest = new Map();
    return changes;
  }
}

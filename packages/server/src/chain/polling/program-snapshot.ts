import { hash } from 'node:crypto';
import {
  type Address,
  bytesEqual,
  bytesToHex,
  type ClusterAccount,
  type KeyedAccount,
  type Slot,
} from '@tidegate/core/base';
import type {
  AccountFilter,
  AccountUpdate,
  ProgramScan,
  SubscriptionListener,
} from '../source/chain-source.ts';

type ScanAnswer = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };

/** What is known of a program's accounts from the last time they were all read, to tell what changed since. */
export class ProgramSnapshot {
  readonly scan: ProgramScan;
  readonly listeners = new Set<SubscriptionListener>();
  dueAt: number;
  /** Of the last reading of all of them. */
  #slot: Slot | undefined;
  /** What somebody was given since would look closed in an older reading. */
  #floor: Slot | undefined;
  #digests = new Map<Address, string>();

  constructor(scan: ProgramScan, dueAt: number) {
    this.scan = scan;
    this.dueAt = dueAt;
  }

  get slot(): Slot | undefined {
    return this.#slot;
  }

  /** The oldest reading that can be compared. */
  get floor(): Slot | undefined {
    return this.#floor;
  }

  /** Somebody was given all of these: only what differs from them is news, and what is gone from them. */
  replaceAll({ slot, accounts }: ScanAnswer): void {
    if (this.#floor !== undefined && slot < this.#floor) return;
    this.#slot = slot;
    this.#floor = slot;
    this.#digests = new Map(
      accounts.map(({ address, account }) => [address, hashAccount(account)]),
    );
  }

  /** Somebody was given this one; the next reading announces it again, or that it is gone. */
  addAccount(address: Address, account: ClusterAccount, slot: Slot): void {
    if (!isScanned(this.scan, account)) return;
    if (this.#floor !== undefined && slot < this.#floor) return;
    this.#floor = slot;
    if (!this.#digests.has(address)) this.#digests.set(address, 'given');
  }

  /** What a new reading says that was not known. */
  diff(reading: ScanAnswer): readonly AccountUpdate[] {
    const { slot, accounts } = reading;
    if (this.#floor !== undefined && slot < this.#floor) return [];
    const before = this.#digests;
    this.replaceAll(reading);
    const updates: AccountUpdate[] = [];
    for (const { address, account } of accounts) {
      if (before.get(address) !== this.#digests.get(address)) {
        updates.push({ address, account, slot });
      }
      before.delete(address);
    }
    for (const address of before.keys()) updates.push({ address, account: undefined, slot });
    return updates;
  }
}

export function scanKey({ program, filters }: ProgramScan): string {
  const parts = filters.map((filter) =>
    filter.kind === 'size' ? `${filter.size}` : `${filter.offset}:${bytesToHex(filter.bytes)}`,
  );
  return [program, ...parts].join(' ');
}

export function hashAccount({ owner, lamports, data }: ClusterAccount): string {
  return `${hash('sha256', data, 'base64')} ${lamports} ${owner}`;
}

function isScanned({ program, filters }: ProgramScan, account: ClusterAccount): boolean {
  return account.owner === program && filters.every((filter) => isKept(filter, account.data));
}

function isKept(filter: AccountFilter, data: Uint8Array): boolean {
  switch (filter.kind) {
    case 'size':
      return data.length === filter.size;
    case 'bytes': {
      const { offset, bytes } = filter;
      return bytesEqual(data.subarray(offset, offset + bytes.length), bytes);
    }
  }
}

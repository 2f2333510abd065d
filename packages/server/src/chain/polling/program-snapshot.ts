import { hash } from 'node:crypto';
import {
  type Address,
  bytesToHex,
  type ClusterAccount,
  type KeyedAccount,
  type Slot,
} from '@tidegate/core/base';
import type { AccountUpdate, ProgramScan, SubscriptionListener } from '../source/chain-source.ts';
import { matchesScan } from '../source/matches-scan.ts';

export type ScanResult = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };

/** Digests of a program's accounts as of the last scan, to find what changed since. */
export class ProgramSnapshot {
  readonly scan: ProgramScan;
  readonly listeners = new Set<SubscriptionListener>();
  /** When its accounts are read again. */
  dueAt: number;
  /** When it is scanned for new accounts. */
  discoverAt: number;
  /** Slot of the last scan. */
  #slot: Slot | undefined;
  /** Slot of the newest returned account. In an older scan that account would seem closed. */
  #floor: Slot | undefined;
  #digests = new Map<Address, string>();

  constructor(scan: ProgramScan, due: { readonly dueAt: number; readonly discoverAt: number }) {
    this.scan = scan;
    this.dueAt = due.dueAt;
    this.discoverAt = due.discoverAt;
  }

  /** Of all known accounts. */
  get addresses(): readonly Address[] {
    return [...this.#digests.keys()];
  }

  get slot(): Slot | undefined {
    return this.#slot;
  }

  /** Scans at an older slot cannot be compared. */
  get floor(): Slot | undefined {
    return this.#floor;
  }

  /** Takes a scan that was returned to a caller. Later scans are compared with it. */
  replaceAll({ slot, accounts }: ScanResult): void {
    if (this.#floor !== undefined && slot < this.#floor) return;
    this.#slot = slot;
    this.#floor = slot;
    this.#digests = new Map(
      accounts.map(({ address, account }) => [address, hashAccount(account)]),
    );
  }

  /** Takes an account that was returned to a caller. The next scan announces it again, or announces its removal. */
  addAccount(address: Address, account: ClusterAccount, slot: Slot): void {
    if (!matchesScan(this.scan, account)) return;
    if (this.#floor !== undefined && slot < this.#floor) return;
    this.#floor = slot;
    if (!this.#digests.has(address)) this.#digests.set(address, 'returned');
  }

  /** Replaces the snapshot and returns the changes. */
  diff(scan: ScanResult): readonly AccountUpdate[] {
    const { slot, accounts } = scan;
    if (this.#floor !== undefined && slot < this.#floor) return [];
    const before = this.#digests;
    this.replaceAll(scan);
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

  announce(updates: readonly AccountUpdate[]): void {
    for (const update of updates)
      for (const listener of [...this.listeners]) listener.onAccount(update);
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

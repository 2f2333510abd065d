import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { CodedError } from '#core/base/errors.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import type {
  AccountUpdate,
  ChainSource,
  ProgramScan,
  SubscriptionListener,
  SubscriptionTarget,
} from '#server/chain/source/chain-source.ts';
import { FakeLedger } from './fake-ledger.ts';

type Follow = { readonly followed: SubscriptionTarget; readonly listener: SubscriptionListener };

/** The far side of the port: a cluster that moves only when the test says so, and fails as it says. */
export class FakeSource implements ChainSource {
  readonly name = 'fake';
  readonly commitment = 'confirmed';
  readonly ledger = new FakeLedger();
  readonly follows = new Set<Follow>();
  readonly accountsNow = new Map<Address, ClusterAccount>();
  /** Kinds of requests, in order, for what must not be asked twice. */
  readonly requests: string[] = [];
  /** Throws what a request is to fail with. */
  failing: (request: 'scan' | 'accounts' | 'slotTime' | 'follow', scan?: ProgramScan) => void =
    () => undefined;
  /** Runs while an answer of a scan is on its way. */
  duringScan: () => void = () => undefined;
  at: ChainTime;
  /** What requests are answered from, where that is not the present. */
  behind: { readonly slot: Slot; readonly accounts: Map<Address, ClusterAccount> } | undefined;

  constructor(at: ChainTime, accounts: Iterable<readonly [Address, ClusterAccount]>) {
    this.at = at;
    for (const [address, account] of accounts) this.accountsNow.set(address, account);
  }

  /** The next slot: what changes in it is announced as a node does, which is silent about closings. */
  step(changes: readonly (readonly [Address, ClusterAccount | undefined])[] = []): void {
    this.at = { slot: toSlot(this.at.slot + 1n), unix: toUnixSeconds(this.at.unix + 1n) };
    for (const [address, account] of changes) {
      if (account === undefined) this.accountsNow.delete(address);
      else this.accountsNow.set(address, account);
    }
    for (const [address, account] of changes)
      this.announce({ address, account, slot: this.at.slot });
    this.announceSlot();
  }

  announce(update: AccountUpdate): void {
    for (const { followed, listener } of this.follows) {
      if (followed.kind === 'program' && update.account !== undefined) {
        if (isScanned(followed.scan, update.account)) listener.onAccount(update);
      }
      if (followed.kind === 'accounts' && followed.addresses.includes(update.address)) {
        listener.onAccount(update);
      }
    }
  }

  /** That a transaction which mentions it came. */
  announceLogs(mentioned: Address): void {
    for (const { followed, listener } of this.follows) {
      if (followed.kind === 'logs' && followed.mentions === mentioned) {
        listener.onLogs?.(this.at.slot);
      }
    }
  }

  announceSlot(): void {
    for (const { listener, followed } of this.follows) {
      if (followed.kind === 'slots') listener.onSlot(this.at.slot, this.at.unix);
    }
  }

  /** From now on requests go to a node that stands still here. */
  fallBehind(): void {
    this.behind = { slot: this.at.slot, accounts: new Map(this.accountsNow) };
  }

  gap(): void {
    for (const { listener } of this.follows) listener.onGap('connection lost');
  }

  getGenesisHash(): Promise<string> {
    return Promise.resolve('fake');
  }

  async getSlotTime() {
    this.failing('slotTime');
    return this.at;
  }

  async getSlotDurationMs() {
    return { numerator: 420n, denominator: 1n };
  }

  async getAccounts(addresses: readonly Address[], minSlot?: Slot) {
    this.requests.push('accounts');
    this.failing('accounts');
    this.#requireSlot(minSlot);
    const { slot, accounts } = this.#served();
    return { slot, accounts: addresses.map((address) => accounts.get(address)) };
  }

  async scanProgram(scan: ProgramScan, minSlot?: Slot) {
    this.requests.push('scan');
    this.failing('scan', scan);
    this.#requireSlot(minSlot);
    const { slot, accounts: served } = this.#served();
    const accounts = [...served]
      .filter(([, account]) => isScanned(scan, account))
      .map(([address, account]) => ({ address, account }));
    this.duringScan();
    await Promise.resolve();
    return { slot, accounts };
  }

  async getLatestBlockhash(minSlot?: Slot) {
    this.#requireSlot(minSlot);
    const { slot } = this.#served();
    return { slot, blockhash: ZERO_ADDRESS, lastValidBlockHeight: slot + 150n };
  }

  async simulate(): Promise<never> {
    throw new CodedError('SOURCE_REFUSES', { source: this.name, reason: 'it runs nothing' });
  }

  subscribe(followed: SubscriptionTarget, listener: SubscriptionListener) {
    const follow = { followed, listener };
    const ready = Promise.resolve().then(() => {
      if (followed.kind === 'program') this.failing('follow', followed.scan);
      if (followed.kind === 'accounts') this.failing('follow');
      this.follows.add(follow);
    });
    return { ready, stop: () => void this.follows.delete(follow) };
  }

  close(): void {
    this.follows.clear();
  }

  #served() {
    return this.behind ?? { slot: this.at.slot, accounts: this.accountsNow };
  }

  #requireSlot(minSlot: Slot | undefined): void {
    const { slot } = this.#served();
    if (minSlot !== undefined && slot < minSlot) {
      throw new CodedError('SOURCE_LAGS', { source: this.name, slot, minSlot });
    }
  }
}

function isScanned({ program, filters }: ProgramScan, { owner, data }: ClusterAccount): boolean {
  if (owner !== program) return false;
  return filters.every((filter) =>
    filter.kind === 'size'
      ? data.length === filter.size
      : bytesEqual(data.subarray(filter.offset, filter.offset + filter.bytes.length), filter.bytes),
  );
}

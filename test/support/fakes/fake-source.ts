import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type ChainTime, type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import type {
  AccountUpdate,
  ChainSource,
  ProgramRead,
  ProgramReadSink,
  ProgramScan,
  SubscriptionListener,
  SubscriptionTarget,
} from '#server/chain/source/chain-source.ts';
import { matchesScan } from '#server/chain/source/matches-scan.ts';
import { CodedError } from '#server/errors.ts';
import { FakeLedger, type FakeTransaction } from './fake-ledger.ts';

type FakeSubscription = {
  readonly target: SubscriptionTarget;
  readonly listener: SubscriptionListener;
};

/** A cluster that advances and fails only as the test defines. */
export class FakeSource implements ChainSource {
  readonly name = 'fake';
  readonly commitment = 'confirmed';
  readonly ledger = new FakeLedger();
  readonly subscriptions = new Set<FakeSubscription>();
  readonly accounts = new Map<Address, ClusterAccount>();
  /** Request kinds in order, to detect repeated requests. */
  readonly requests: string[] = [];
  /** Throws to fail a request. */
  onRequest: (request: 'scan' | 'accounts' | 'slotTime' | 'follow', scan?: ProgramScan) => void =
    () => undefined;
  announcesLogs = true;
  /** Whether whole transactions are sent, as over gRPC. */
  streamsTransactions = false;
  /** Called while a scan is in flight. */
  duringScan: () => void = () => undefined;
  /** Whether subscribers of large programs receive updates. */
  sendsUpdates = true;
  /** Whether updates come from reads. */
  isPolled = false;
  /** Whether a read by address does not return an account that exists. */
  leavesOut: (address: Address) => boolean = () => false;
  at: ChainTime;
  /** The lagging state that requests are served from, if any. */
  laggingState:
    | { readonly slot: Slot; readonly accounts: Map<Address, ClusterAccount> }
    | undefined;

  constructor(at: ChainTime, accounts: Iterable<readonly [Address, ClusterAccount]>) {
    this.at = at;
    for (const [address, account] of accounts) this.accounts.set(address, account);
  }

  /**
   * Advances a slot and announces its changes. Like a node, it does not announce deletions to
   * program subscribers.
   */
  advanceSlot(changes: readonly (readonly [Address, ClusterAccount | undefined])[] = []): void {
    this.at = { slot: toSlot(this.at.slot + 1n), unix: toUnixSeconds(this.at.unix + 1n) };
    for (const [address, account] of changes) {
      if (account === undefined) this.accounts.delete(address);
      else this.accounts.set(address, account);
    }
    for (const [address, account] of changes)
      this.announce({ address, account, slot: this.at.slot });
    this.announceSlot();
  }

  announce(update: AccountUpdate): void {
    for (const { target, listener } of this.subscriptions) {
      if (target.kind === 'program' && target.isLarge === true && !this.sendsUpdates) continue;
      if (target.kind === 'program' && update.account !== undefined) {
        if (matchesScan(target.scan, update.account)) listener.onAccount(update);
      }
      if (target.kind === 'accounts' && target.addresses.includes(update.address)) {
        listener.onAccount(update);
      }
    }
  }

  /** Announces a transaction to those that subscribed to one of its addresses. */
  announceTransaction(transaction: FakeTransaction): void {
    const { signature, mentions, response, failed = false } = transaction;
    const notice = { slot: toSlot(transaction.slot), signature, failed };
    for (const { target, listener } of this.subscriptions) {
      if (target.kind === 'logs' && mentions.includes(target.mentions)) listener.onLogs?.(notice);
      if (target.kind !== 'transactions') continue;
      if (target.mentions.some((address) => mentions.includes(address))) {
        const inBlock = this.ledger.transactions.filter(({ slot }) => slot === transaction.slot);
        const transactionIndex = inBlock.findIndex((each) => each.signature === signature);
        listener.onTransaction?.({ ...notice, transactionIndex, transaction: response });
      }
    }
  }

  announceDeadSlot(slot: Slot): void {
    for (const { listener } of this.subscriptions) listener.onSlotDead?.(slot);
  }

  announceSlot(): void {
    for (const { listener, target } of this.subscriptions) {
      if (target.kind === 'slots') listener.onSlot(this.at.slot, this.at.unix);
    }
  }

  /** Serves requests from the current state from now on. */
  fallBehind(): void {
    this.laggingState = { slot: this.at.slot, accounts: new Map(this.accounts) };
  }

  /** The current slot is abandoned: the cluster continues with the one before it. */
  abandonSlot(): void {
    for (const { listener } of this.subscriptions) listener.onSlotDead?.(this.at.slot);
  }

  reportGap(): void {
    for (const { listener } of this.subscriptions) listener.onGap('connection lost');
  }

  getGenesisHash(): Promise<string> {
    return Promise.resolve('fake');
  }

  async getSlotTime() {
    this.onRequest('slotTime');
    return this.at;
  }

  async getSlotDurationMs() {
    return { numerator: 420n, denominator: 1n };
  }

  async getAccounts(addresses: readonly Address[], minSlot?: Slot) {
    this.requests.push('accounts');
    this.onRequest('accounts');
    this.#requireSlot(minSlot);
    const { slot, accounts } = this.#servedState();
    const find = (address: Address) =>
      this.leavesOut(address) ? undefined : accounts.get(address);
    return { slot, accounts: addresses.map(find) };
  }

  async scanProgram(scan: ProgramScan, minSlot?: Slot) {
    this.requests.push('scan');
    this.onRequest('scan', scan);
    this.#requireSlot(minSlot);
    const { slot, accounts: servedAccounts } = this.#servedState();
    const accounts = [...servedAccounts]
      .filter(([, account]) => matchesScan(scan, account))
      .map(([address, account]) => ({ address, account }));
    this.duringScan();
    await Promise.resolve();
    return { slot, accounts };
  }

  /** The accounts arrive one by one, so that a test can interrupt them in `onRequest` or in the sink. */
  async streamProgram(
    { scan, content, changedSince, minSlot }: ProgramRead,
    sink: ProgramReadSink,
  ) {
    if (changedSince !== undefined) {
      const reason = 'it does not know what was written';
      throw new CodedError('SOURCE_REFUSES', { source: this.name, reason });
    }
    const { slot, accounts } = await this.scanProgram(scan, minSlot);
    sink.onStart();
    for (const { address, account } of accounts) {
      const data = partOf(account.data, content);
      sink.onAccount({ address, account: { ...account, data }, slot: minSlot ?? slot });
    }
    return { slot, completeAt: slot };
  }

  async getLatestBlockhash(minSlot?: Slot) {
    this.#requireSlot(minSlot);
    const { slot } = this.#servedState();
    return { slot, blockhash: ZERO_ADDRESS, lastValidBlockHeight: slot + 150n };
  }

  async getRecentPriorityFees() {
    return [];
  }

  async simulate(): Promise<never> {
    throw new CodedError('SOURCE_REFUSES', { source: this.name, reason: 'it runs nothing' });
  }

  subscribe(target: SubscriptionTarget, listener: SubscriptionListener) {
    const subscription = { target, listener };
    const ready = Promise.resolve().then(() => {
      if (target.kind === 'transactions' && !this.streamsTransactions) this.#refuse();
      if (target.kind === 'logs' && !this.announcesLogs) this.#refuse();
      if (target.kind === 'program') this.onRequest('follow', target.scan);
      if (target.kind === 'accounts') this.onRequest('follow');
      this.subscriptions.add(subscription);
    });
    const sendsUpdates = () =>
      this.sendsUpdates || target.kind !== 'program' || target.isLarge !== true;
    const isPolled = () => this.isPolled;
    return {
      ready,
      sendsUpdates,
      isPolled,
      stop: () => void this.subscriptions.delete(subscription),
    };
  }

  close(): void {
    this.subscriptions.clear();
  }

  #refuse(): never {
    throw new CodedError('SOURCE_REFUSES', { source: this.name, reason: 'it does not send them' });
  }

  #servedState() {
    return this.laggingState ?? { slot: this.at.slot, accounts: this.accounts };
  }

  #requireSlot(minSlot: Slot | undefined): void {
    const { slot } = this.#servedState();
    if (minSlot !== undefined && slot < minSlot) {
      throw new CodedError('SOURCE_LAGS', { source: this.name, slot, minSlot });
    }
  }
}

function partOf(data: Uint8Array, content: ProgramRead['content']): Uint8Array {
  if (content === 'accounts') return data;
  if (content === 'addresses') return new Uint8Array();
  return data.subarray(content.offset, content.offset + content.length);
}

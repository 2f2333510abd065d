import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  type Ratio,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { ProgramName } from '@tidegate/core/protocol/releases';
import { CodedError } from '../errors/index.ts';
import type { ForkedAccounts } from '../fork/forked-accounts.ts';
import type { GenesisPlan } from '../genesis/genesis.ts';
import { programAccounts } from '../programs/program-accounts.ts';
import { airdropToken, type TokenAirdrop } from '../rpc/airdrop-token.ts';
import type { ClusterControls, ClusterRun } from '../rpc/cluster-controls.ts';
import { Faucet } from '../rpc/faucet.ts';
import { NO_FAULTS } from '../rpc/faults.ts';
import { RpcNode } from '../rpc/rpc-node.ts';
import { createAccessCheck, LOOPBACK_ONLY } from '../rpc/server/access-check.ts';
import { RpcServer, type RpcUrls } from '../rpc/server/rpc-server.ts';
import type { Bank } from '../runtime/bank.ts';
import { slotAt } from '../runtime/slot-time.ts';
import type { ReceivedTransaction } from '../runtime/transactions/received-transaction.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import { ClusterSnapshots } from './cluster-snapshots.ts';
import type { LocalnetOptions, SavedCluster } from './localnet-options.ts';
import { loadTokenAccount, openFork } from './open-fork.ts';
import type { UpgradeContent } from './program-upgrades.ts';
import { findReserves, priceFeedOf } from './reserve-lookup.ts';
import { SlotClock } from './slot-clock.ts';
import { SlotProducer } from './slot-producer.ts';

/**
 * After a longer pause, the missed slots close as one: a few seconds of slots, but never more than
 * can be processed in one slot time.
 */
const SLOTS_TO_CATCH_UP = 8;
const MAX_SLOTS_TO_CATCH_UP = 120;

/** A local cluster: a bank whose slots follow the wall clock, keeper bots, and RPC nodes. */
export class Localnet implements ClusterControls {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly fork: ForkedAccounts | undefined;
  readonly #options: LocalnetOptions;
  readonly #faucet: Faucet;
  readonly #producer: SlotProducer;
  readonly #servers: RpcServer[] = [];
  readonly #nodes: RpcNode[] = [];
  readonly #clock: SlotClock;
  readonly #snapshots = new ClusterSnapshots<SavedCluster>();
  #initial: SavedCluster | undefined;
  #timer: NodeJS.Timeout | undefined;
  #requestedSlot: Promise<void> | undefined;
  #isStarted = false;
  #isFrozen = false;

  constructor(options: LocalnetOptions) {
    const { cluster, now, speed = 1, origin } = options;
    const { bank, transactions, seed } = cluster;
    this.bank = bank;
    this.transactions = transactions;
    this.#options = options;
    this.#faucet = new Faucet({ bank, transactions, seed });
    this.#producer = new SlotProducer(options, origin !== undefined);
    const { startSlot: slot = bank.slot } = options;
    this.#clock = new SlotClock({ now, speed, origin: bank.origin, slot });
    this.fork = origin && openFork(options, origin, (slot) => this.#advanceTo(slot));
    if (options.isOnDemand) transactions.onSubmit(() => this.#requestSlot());
  }

  get plan(): GenesisPlan | undefined {
    return this.#options.plan;
  }

  get runs(): readonly ClusterRun[] {
    return this.#options.runs ?? [];
  }

  /** Slots ahead of the wall clock, because of another origin or of warps. */
  get slotOffset(): bigint {
    return this.bank.slot - slotAt(this.#options.now());
  }

  /** Starts the clock, unless slots close on demand. */
  start(): void {
    if (!this.#isStarted && this.#options.isResettable) this.#initial ??= this.#save();
    this.#isStarted = true;
    if (!this.#isClockRunning) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.tick();
      this.start();
    }, this.#clock.msToNextSlot);
  }

  /** Adds an RPC node with its own faults. Port 0 means any free port. */
  async addNode(port: number): Promise<RpcUrls & { readonly node: RpcNode }> {
    const { cluster, log, isOnDemand = false, allowedCallers = LOOPBACK_ONLY } = this.#options;
    const { fork } = this;
    const node = new RpcNode({ ...cluster, faucet: this.#faucet, isInstant: isOnDemand, fork });
    const access = createAccessCheck(allowedCallers);
    const server = new RpcServer({ node, controls: this, log, access });
    const urls = await server.listen(port);
    this.#servers.push(server);
    this.#nodes.push(node);
    return { ...urls, node };
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    this.#snapshots.clear();
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }

  /** Closes slots up to the wall clock. */
  tick(): void {
    if (!this.#isClockRunning) return;
    const target = this.#clock.slot;
    const { speed = 1 } = this.#options;
    const maxSlots = BigInt(Math.min(SLOTS_TO_CATCH_UP * speed, MAX_SLOTS_TO_CATCH_UP));
    if (target - this.bank.slot > maxSlots) this.#producer.close(target);
    while (this.bank.slot < target) this.#producer.close(toSlot(this.bank.slot + 1n));
  }

  async warp(slots: bigint): Promise<Slot> {
    this.#clock.set(toSlot(this.#clock.slot + slots));
    this.#producer.close(toSlot(this.bank.slot + slots), true);
    return this.bank.slot;
  }

  async setPrice(token: Address, price: Ratio | undefined): Promise<Slot> {
    const { bank, fork } = this;
    const { keepers } = this.#producer;
    if (fork) await fork.load([token]);
    const reserves = findReserves(bank, token, keepers.reserves());
    if (fork) await fork.load(reserves.flatMap((reserve) => priceFeedOf(bank, reserve) ?? []));
    for (const reserve of reserves) {
      if (price === undefined) keepers.prices.release(reserve);
      else keepers.prices.hold(reserve, price);
      keepers.refreshSoon(reserve);
    }
    return this.#land();
  }

  async setAccount(address: Address, account: ClusterAccount | undefined): Promise<Slot> {
    if (this.fork) await this.fork.load([address]);
    this.bank.setAccount(address, account);
    return this.#land();
  }

  /** Replaces the executable of a program; resolves with the slot of the deployment. */
  async upgradeProgram(program: ProgramName, content: UpgradeContent): Promise<Slot> {
    if (this.fork) await this.fork.load(Object.values(programAccounts[program]));
    this.#producer.upgrades.request(program, content);
    return this.#land();
  }

  /** Queues a transaction and waits for its slot. */
  async submit(received: ReceivedTransaction): Promise<Slot> {
    const landed = this.#isFrozen ? undefined : this.bank.nextSlot();
    this.transactions.submit(received);
    return landed ?? this.#land();
  }

  /** A transfer from the faucet. */
  async airdrop(to: Address, lamports: bigint): Promise<Slot> {
    if (this.fork) await this.fork.load([to]);
    this.#faucet.airdrop({ to, lamports });
    return this.#land();
  }

  async airdropToken(airdrop: TokenAirdrop): Promise<Slot> {
    if (this.fork) await loadTokenAccount(this.fork, this.bank, airdrop);
    airdropToken(this.bank, airdrop);
    return this.#land();
  }

  async rollBack(slots: bigint): Promise<Slot> {
    const slot = toSlot(this.bank.slot - slots);
    this.bank.rollBack(slot);
    this.transactions.rollBack(slot);
    this.#clock.set(toSlot(this.#clock.slot - slots));
    this.#options.onRollBack?.();
    return slot;
  }

  snapshot(): string {
    return this.#snapshots.add(this.#save());
  }

  revert(id: string): Slot {
    return this.#restore(this.#snapshots.take(id));
  }

  hasSnapshot = (id: string): boolean => this.#snapshots.has(id);

  dropSnapshot(id: string): void {
    this.#snapshots.drop(id);
  }

  reset(): Slot {
    if (this.#initial === undefined) {
      const reason = 'this cluster does not retain the state of its start; use a snapshot';
      throw new CodedError('MALFORMED_DATA', { what: 'reset', reason });
    }
    this.#snapshots.clear();
    return this.#restore(this.#initial);
  }

  async settled(): Promise<void> {
    await this.#requestedSlot;
  }

  freeze(): void {
    this.#isFrozen = true;
    clearTimeout(this.#timer);
  }

  resume(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#clock.set(this.bank.slot);
    if (this.#isStarted) this.start();
    if (this.#options.isOnDemand) this.#requestSlot();
  }

  impersonate(signer: Address, isImpersonated: boolean): void {
    this.transactions.impersonate(signer, isImpersonated);
  }

  setLiquidationBot(isOn: boolean): void {
    this.#producer.isLiquidationBotOn = isOn;
  }

  freezeReserve(reserve: Address, isFrozen: boolean): void {
    this.#producer.keepers.freeze(reserve, isFrozen);
  }

  timeOf = (slot: Slot): ChainTime => this.bank.timeOf(slot);

  get #isClockRunning(): boolean {
    return !this.#isFrozen && !this.#options.isOnDemand;
  }

  /** Waits for the slot of the changes in the open slot. Without a running clock it closes now. */
  async #land(): Promise<Slot> {
    if (this.#isClockRunning) return this.bank.nextSlot();
    this.#producer.close(toSlot(this.bank.slot + 1n), true);
    return this.bank.slot;
  }

  /** Closes a slot soon, with all transactions that arrive until then. */
  #requestSlot(): void {
    if (this.#isFrozen) return;
    this.#requestedSlot ??= nextTurn().then(() => {
      this.#requestedSlot = undefined;
      const isDue = this.#isStarted && !this.#isFrozen && this.transactions.hasPending;
      if (isDue) this.#producer.close(toSlot(this.bank.slot + 1n));
    });
  }

  /** The clock is never behind a state that was read. */
  #advanceTo(slot: Slot): void {
    if (slot <= this.bank.slot) return;
    this.#producer.close(slot);
    if (this.#clock.slot < slot) this.#clock.set(slot);
  }

  #save(): SavedCluster {
    return {
      bank: this.bank.save(),
      transactions: this.transactions.save(),
      keepers: this.#producer.keepers.save(),
      airdrops: this.#faucet.save(),
      faults: this.#nodes.map(({ faults }) => faults.save()),
      isFrozen: this.#isFrozen,
      isLiquidationBotOn: this.#producer.isLiquidationBotOn,
    };
  }

  #restore(saved: SavedCluster): Slot {
    this.bank.restore(saved.bank);
    this.transactions.restore(saved.transactions);
    this.#producer.keepers.restore(saved.keepers);
    this.#producer.upgrades.clear();
    this.#producer.isLiquidationBotOn = saved.isLiquidationBotOn;
    this.#faucet.restore(saved.airdrops);
    for (const [i, { faults }] of this.#nodes.entries()) faults.set(saved.faults[i] ?? NO_FAULTS);
    this.#clock.set(this.bank.slot);
    if (saved.isFrozen) this.freeze();
    else this.resume();
    if (this.fork) this.#advanceTo(this.fork.newestSlot);
    this.#options.onRollBack?.();
    return this.bank.slot;
  }
}

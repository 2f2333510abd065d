import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  type Logger,
  type Ratio,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { airdropToken, type TokenAirdrop } from '../rpc/airdrop-token.ts';
import type { ClusterControls } from '../rpc/cluster-controls.ts';
import { Faucet } from '../rpc/faucet.ts';
import { RpcNode } from '../rpc/rpc-node.ts';
import { RpcServer, type RpcUrls } from '../rpc/server/rpc-server.ts';
import type { Bank } from '../runtime/bank.ts';
import { clockAccount } from '../runtime/clock-account.ts';
import { msToNextSlot, slotAt } from '../runtime/slot-time.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import type { LocalCluster } from './cluster.ts';
import { Keepers } from './keepers.ts';
import { stakePoolRewards } from './stake-pool-rewards.ts';

/** After a pause of more slots than this, those between pass as one: some seconds, but never more than take one to pass. */
const SLOTS_TO_CATCH_UP = 8;
const MAX_SLOTS_TO_CATCH_UP = 120;

/** Old transactions that are packed in each slot: a small part of its time. */
const PACKED_PER_SLOT = 20;

/** However fast the clock runs, somebody else must get a turn. */
const LEAST_WAIT_MS = 5;

export type LocalnetOptions = {
  readonly cluster: LocalCluster;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  /** Slots that the chain is ahead of the wall clock; by default such that it goes on from where it is. */
  readonly ahead?: bigint;
  /** How much faster than the wall clock it runs. */
  readonly speed?: number;
  /** People who act by themselves. */
  readonly crowd?: { work(time: ChainTime): void };
  /** Told of each slot before it is closed and anybody hears of it. */
  readonly onSlot?: (ending: ClosingSlot) => void;
  readonly onClosed?: () => void;
  readonly onRollBack?: () => void;
};

export type ClosingSlot = {
  readonly slot: Slot;
  /** Accounts that were written by hand. */
  readonly written: readonly Address[];
  /** Whether it was called for, so that somebody waits for it. */
  readonly isCalled: boolean;
};

/** An embedded cluster: a bank whose slots pass with the wall clock, its keepers, and nodes to reach it. */
export class Localnet implements ClusterControls {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly #start: LocalnetOptions;
  readonly #faucet: Faucet;
  readonly #keepers: Keepers;
  readonly #log: Logger;
  readonly #nodes: RpcServer[] = [];
  /** When the clock began to run, in milliseconds. */
  readonly #begun: number;
  #ahead: bigint;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: LocalnetOptions) {
    const { cluster, now, log } = start;
    const { bank, transactions, seed } = cluster;
    this.bank = bank;
    this.transactions = transactions;
    this.#start = start;
    this.#faucet = new Faucet({ bank, transactions, seed });
    this.#keepers = new Keepers({ bank, seed, log });
    this.#log = log;
    this.#begun = now();
    this.#ahead = start.ahead ?? bank.slot - slotAt(this.#begun);
  }

  /** Slots that this chain is ahead of the wall clock: another origin, and warps. */
  get ahead(): bigint {
    return this.#ahead;
  }

  /** Slots pass from now on. */
  start(): void {
    const { speed = 1 } = this.#start;
    const wait = Math.max(msToNextSlot(this.#nowMs()) / speed, speed > 1 ? LEAST_WAIT_MS : 0);
    this.#timer = setTimeout(() => {
      this.tick();
      this.start();
    }, wait);
  }

  /** One more node of this cluster, with faults of its own. Port 0 is any free one. */
  async addNode(port: number): Promise<RpcUrls & { readonly endpoint: RpcNode }> {
    const endpoint = new RpcNode({ ...this.#start.cluster, faucet: this.#faucet });
    const node = new RpcServer({ endpoint, controls: this, log: this.#log });
    const urls = await node.listen(port);
    this.#nodes.push(node);
    return { ...urls, endpoint };
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#nodes.splice(0).map((node) => node.close()));
  }

  /** Brings the cluster to the wall clock. */
  tick(): void {
    const target = toSlot(slotAt(this.#nowMs()) + this.#ahead);
    const { speed = 1 } = this.#start;
    const most = BigInt(Math.min(SLOTS_TO_CATCH_UP * speed, MAX_SLOTS_TO_CATCH_UP));
    if (target - this.bank.slot > most) this.#pass(target);
    while (this.bank.slot < target) this.#pass(toSlot(this.bank.slot + 1n));
  }

  async warp(slots: bigint): Promise<Slot> {
    this.#ahead += slots;
    this.#pass(toSlot(this.bank.slot + slots), true);
    return this.bank.slot;
  }

  async setPrice(reserve: Address, price: Ratio | undefined): Promise<Slot> {
    if (price === undefined) this.#keepers.prices.release(reserve);
    else this.#keepers.prices.hold(reserve, price);
    this.#keepers.refreshSoon(reserve);
    return this.bank.nextSlot();
  }

  async setAccount(address: Address, account: ClusterAccount | undefined): Promise<Slot> {
    this.bank.setAccount(address, account);
    return this.bank.nextSlot();
  }

  async airdropToken(gift: TokenAirdrop): Promise<Slot> {
    airdropToken(this.bank, gift);
    return this.bank.nextSlot();
  }

  async rollBack(slots: bigint): Promise<Slot> {
    const slot = toSlot(this.bank.slot - slots);
    this.bank.rollBack(slot);
    this.transactions.rollBack(slot);
    this.#ahead -= slots;
    this.#start.onRollBack?.();
    return slot;
  }

  freezeReserve(reserve: Address, isFrozen: boolean): void {
    this.#keepers.freeze(reserve, isFrozen);
  }

  timeOf(slot: Slot): ChainTime {
    return this.bank.timeOf(slot);
  }

  /** By the clock of this chain. */
  #nowMs(): number {
    const { now, speed = 1 } = this.#start;
    return this.#begun + (now() - this.#begun) * speed;
  }

  /** Time goes on, whatever the keepers and the crowd find in the accounts. */
  #pass(slot: Slot, isCalled = false): void {
    const time = this.bank.timeOf(slot);
    const byHand = this.bank.openAddresses();
    this.bank.setAccount(CLOCK_SYSVAR, clockAccount(time));
    const earned = stakePoolRewards(this.bank, time);
    for (const [address, account] of earned) this.bank.setAccount(address, account);
    this.#trying(slot, 'keepers have failed', () => this.#keepers.work(time));
    const isNext = slot === this.bank.slot + 1n;
    if (isNext) this.#trying(slot, 'an act has failed', () => this.#start.crowd?.work(time));
    this.transactions.runWaiting(time);
    this.transactions.ledger.packOld(PACKED_PER_SLOT);
    this.#start.onSlot?.({ slot, written: [...byHand, ...earned.keys()], isCalled });
    this.bank.close(slot);
    this.#start.onClosed?.();
  }

  #trying(slot: Slot, failure: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error({ slot, error }, failure);
    }
  }
}

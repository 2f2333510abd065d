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
import type { GenesisPlan } from '../genesis/genesis.ts';
import { airdropToken, type TokenAirdrop } from '../rpc/airdrop-token.ts';
import type { ClusterControls, ClusterRun } from '../rpc/cluster-controls.ts';
import { Faucet } from '../rpc/faucet.ts';
import { RpcNode } from '../rpc/rpc-node.ts';
import {
  type AllowedCallers,
  createAccessCheck,
  LOOPBACK_ONLY,
} from '../rpc/server/access-check.ts';
import { RpcServer, type RpcUrls } from '../rpc/server/rpc-server.ts';
import type { Bank } from '../runtime/bank.ts';
import { clockAccount } from '../runtime/clock-account.ts';
import { msToNextSlot, slotAt } from '../runtime/slot-time.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import type { LocalCluster } from './cluster.ts';
import { Keepers } from './keepers.ts';
import { stakePoolRewards } from './stake-pool-rewards.ts';

/**
 * After a longer pause, the missed slots close as one: a few seconds of slots, but never more than
 * can be processed in one slot time.
 */
const SLOTS_TO_CATCH_UP = 8;
const MAX_SLOTS_TO_CATCH_UP = 120;

/** Old transactions compressed per slot. */
const PACKED_PER_SLOT = 20;

/** Leaves time for other work at any clock speed. */
const MIN_WAIT_MS = 5;

export type LocalnetOptions = {
  readonly cluster: LocalCluster;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Slots ahead of the wall clock. By default the chain continues from its newest slot. */
  readonly slotOffset?: bigint;
  /** Clock speed as a multiple of the wall clock. */
  readonly speed?: number;
  /** What the cluster was simulated from. */
  readonly plan?: GenesisPlan;
  /** Its runs, the newest last. */
  readonly runs?: readonly ClusterRun[];
  /** Who may call its nodes besides clients on loopback. */
  readonly allowedCallers?: AllowedCallers;
  /** Simulated wallets that act while the cluster runs. */
  readonly backgroundActivity?: { run(time: ChainTime): void };
  /** Called before a slot closes, and before subscribers are notified. */
  readonly onSlotClosing?: (closing: ClosingSlot) => void;
  readonly onSlotClosed?: () => void;
  readonly onRollBack?: () => void;
};

export type ClosingSlot = {
  readonly slot: Slot;
  /** Accounts written through the controls, not by transactions or keepers. */
  readonly writtenAddresses: readonly Address[];
  /** Whether a caller requested the slot and waits for it. */
  readonly isRequested: boolean;
};

/** A local cluster: a bank whose slots follow the wall clock, keeper bots, and RPC nodes. */
export class Localnet implements ClusterControls {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly #options: LocalnetOptions;
  readonly #faucet: Faucet;
  readonly #keepers: Keepers;
  readonly #log: Logger;
  readonly #servers: RpcServer[] = [];
  /** Start of the clock, in milliseconds. */
  readonly #startMs: number;
  #slotOffset: bigint;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LocalnetOptions) {
    const { cluster, now, log } = options;
    const { bank, transactions, seed } = cluster;
    this.bank = bank;
    this.transactions = transactions;
    this.#options = options;
    this.#faucet = new Faucet({ bank, transactions, seed });
    this.#keepers = new Keepers({ bank, seed, log });
    this.#log = log;
    this.#startMs = now();
    this.#slotOffset = options.slotOffset ?? bank.slot - slotAt(this.#startMs);
  }

  get plan(): GenesisPlan | undefined {
    return this.#options.plan;
  }

  get runs(): readonly ClusterRun[] {
    return this.#options.runs ?? [];
  }

  /** Slots ahead of the wall clock, because of another origin or of warps. */
  get slotOffset(): bigint {
    return this.#slotOffset;
  }

  /** Starts the clock. */
  start(): void {
    const { speed = 1 } = this.#options;
    const wait = Math.max(msToNextSlot(this.#nowMs()) / speed, speed > 1 ? MIN_WAIT_MS : 0);
    this.#timer = setTimeout(() => {
      this.tick();
      this.start();
    }, wait);
  }

  /** Adds an RPC node with its own faults. Port 0 means any free port. */
  async addNode(port: number): Promise<RpcUrls & { readonly node: RpcNode }> {
    const node = new RpcNode({ ...this.#options.cluster, faucet: this.#faucet });
    const access = createAccessCheck(this.#options.allowedCallers ?? LOOPBACK_ONLY);
    const server = new RpcServer({ node, controls: this, log: this.#log, access });
    const urls = await server.listen(port);
    this.#servers.push(server);
    return { ...urls, node };
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }

  /** Closes slots up to the wall clock. */
  tick(): void {
    const target = toSlot(slotAt(this.#nowMs()) + this.#slotOffset);
    const { speed = 1 } = this.#options;
    const maxSlots = BigInt(Math.min(SLOTS_TO_CATCH_UP * speed, MAX_SLOTS_TO_CATCH_UP));
    if (target - this.bank.slot > maxSlots) this.#closeSlot(target);
    while (this.bank.slot < target) this.#closeSlot(toSlot(this.bank.slot + 1n));
  }

  async warp(slots: bigint): Promise<Slot> {
    this.#slotOffset += slots;
    this.#closeSlot(toSlot(this.bank.slot + slots), true);
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

  async airdropToken(airdrop: TokenAirdrop): Promise<Slot> {
    airdropToken(this.bank, airdrop);
    return this.bank.nextSlot();
  }

  async rollBack(slots: bigint): Promise<Slot> {
    const slot = toSlot(this.bank.slot - slots);
    this.bank.rollBack(slot);
    this.transactions.rollBack(slot);
    this.#slotOffset -= slots;
    this.#options.onRollBack?.();
    return slot;
  }

  freezeReserve(reserve: Address, isFrozen: boolean): void {
    this.#keepers.freeze(reserve, isFrozen);
  }

  timeOf(slot: Slot): ChainTime {
    return this.bank.timeOf(slot);
  }

  /** Time of this chain's clock. */
  #nowMs(): number {
    const { now, speed = 1 } = this.#options;
    return this.#startMs + (now() - this.#startMs) * speed;
  }

  /** Keeper and strategy errors are logged; the slot closes regardless. */
  #closeSlot(slot: Slot, isRequested = false): void {
    const time = this.bank.timeOf(slot);
    const writtenAddresses = this.bank.pendingAddresses();
    this.bank.setAccount(CLOCK_SYSVAR, clockAccount(time));
    const rewards = stakePoolRewards(this.bank, time);
    for (const [address, account] of rewards) this.bank.setAccount(address, account);
    this.#tryStep(slot, 'keepers failed', () => this.#keepers.run(time));
    const isNext = slot === this.bank.slot + 1n;
    if (isNext)
      this.#tryStep(slot, 'background activity failed', () =>
        this.#options.backgroundActivity?.run(time),
      );
    this.transactions.executePending(time);
    this.transactions.ledger.packOld(PACKED_PER_SLOT);
    this.#options.onSlotClosing?.({
      slot,
      writtenAddresses: [...writtenAddresses, ...rewards.keys()],
      isRequested,
    });
    this.bank.close(slot);
    this.#options.onSlotClosed?.();
  }

  #tryStep(slot: Slot, errorMessage: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error({ slot, error }, errorMessage);
    }
  }
}

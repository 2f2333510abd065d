import type { Address } from '../base/address.ts';
import type { Ratio } from '../base/decimal.ts';
import type { Logger } from '../base/log.ts';
import { type ChainTime, type Slot, toSlot } from '../base/time.ts';
import { CLOCK_ADDRESS } from '../chain/clock-account.ts';
import type { ClusterAccount } from '../chain/source.ts';
import { airdropToken, type TokenGift } from './airdrop-token.ts';
import { Bank, type BankStart } from './bank.ts';
import { clockSysvar } from './clock-sysvar.ts';
import type { Controls } from './controls.ts';
import { Endpoint } from './endpoint.ts';
import { Faucet } from './faucet.ts';
import { Keepers } from './keepers.ts';
import { NodeServer, type NodeUrls } from './node-server.ts';
import { modelPrograms } from './programs/programs.ts';
import { msToNextSlot, slotAt } from './slot-clock.ts';
import type { Executor } from './transactions/executor.ts';
import { createModelExecutor } from './transactions/model-executor.ts';
import { Transactions } from './transactions/transactions.ts';

/** After a pause of more slots than this, those between pass as one. */
const MAX_SLOTS_TO_CATCH_UP = 8n;

/** Old transactions that are packed in each slot: a small part of its time. */
const PACKED_PER_SLOT = 20;

export type LocalnetStart = BankStart & {
  readonly seed: string;
  /** Our own model of the programs unless told otherwise. */
  readonly executor?: Executor;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
};

/** An embedded cluster: a bank whose slots pass with the wall clock, its keepers, and nodes to reach it. */
export class Localnet implements Controls {
  readonly bank: Bank;
  readonly transactions: Transactions;
  readonly #faucet: Faucet;
  readonly #keepers: Keepers;
  readonly #seed: string;
  readonly #now: () => number;
  readonly #log: Logger;
  readonly #nodes: NodeServer[] = [];
  /** Slots that this chain is ahead of the wall clock: another origin, and warps. */
  #ahead: bigint;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: LocalnetStart) {
    const { accounts, at, seed, now, log } = start;
    const { executor = createModelExecutor(modelPrograms()) } = start;
    this.bank = new Bank({ accounts: new Map(accounts).set(CLOCK_ADDRESS, clockSysvar(at)), at });
    this.transactions = new Transactions({ bank: this.bank, executor, seed });
    this.#faucet = new Faucet({ bank: this.bank, transactions: this.transactions, seed });
    this.#keepers = new Keepers({ bank: this.bank, seed, log });
    this.#seed = seed;
    this.#now = now;
    this.#log = log;
    this.#ahead = at.slot - slotAt(now());
  }

  /** Slots pass from now on. */
  start(): void {
    this.#timer = setTimeout(() => {
      this.tick();
      this.start();
    }, msToNextSlot(this.#now()));
  }

  /** One more node of this cluster, with faults of its own. Port 0 is any free one. */
  async addNode(port: number): Promise<NodeUrls & { readonly endpoint: Endpoint }> {
    const { bank, transactions } = this;
    const endpoint = new Endpoint({
      ...{ bank, transactions, faucet: this.#faucet, seed: this.#seed },
    });
    const node = new NodeServer({ endpoint, controls: this, log: this.#log });
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
    const target = toSlot(slotAt(this.#now()) + this.#ahead);
    if (target - this.bank.slot > MAX_SLOTS_TO_CATCH_UP) this.#pass(target);
    while (this.bank.slot < target) this.#pass(toSlot(this.bank.slot + 1n));
  }

  async warp(slots: bigint): Promise<Slot> {
    this.#ahead += slots;
    this.#pass(toSlot(this.bank.slot + slots));
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

  async airdropToken(gift: TokenGift): Promise<Slot> {
    airdropToken(this.bank, gift);
    return this.bank.nextSlot();
  }

  async rollBack(slots: bigint): Promise<Slot> {
    const slot = toSlot(this.bank.slot - slots);
    this.bank.rollBack(slot);
    this.transactions.rollBack(slot);
    this.#ahead -= slots;
    return slot;
  }

  freezeReserve(reserve: Address, isFrozen: boolean): void {
    this.#keepers.freeze(reserve, isFrozen);
  }

  timeOf(slot: Slot): ChainTime {
    return this.bank.timeOf(slot);
  }

  /** Time goes on, whatever the keepers find in the accounts. */
  #pass(slot: Slot): void {
    const time = this.bank.timeOf(slot);
    this.bank.setAccount(CLOCK_ADDRESS, clockSysvar(time));
    try {
      this.#keepers.work(time);
    } catch (error) {
      this.#log.error({ slot, error }, 'keepers have failed');
    }
    this.transactions.runWaiting(time);
    this.transactions.ledger.packOld(PACKED_PER_SLOT);
    this.bank.close(slot);
  }
}

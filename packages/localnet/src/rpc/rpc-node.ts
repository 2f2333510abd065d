import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Commitment, type Slot, toSlot } from '@tidegate/core/base';
import type { ForkedAccounts } from '../fork/forked-accounts.ts';
import type { Bank, BankView } from '../runtime/bank.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import type { Faucet } from './faucet.ts';
import { FaultInjector } from './faults.ts';

/** Slots behind the newest one, by commitment. */
const DEPTH: Readonly<Record<Commitment, bigint>> = {
  processed: 0n,
  confirmed: 1n,
  finalized: 32n,
};

const HEALTHY_LAG = 128n;

type Connection = { terminate(): void };

export type RpcNodeOptions = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly faucet: Faucet;
  readonly seed: string;
  /** Every commitment sees the newest slot. */
  readonly isInstant?: boolean;
  /** Accounts of the cluster that is forked. */
  readonly fork?: ForkedAccounts | undefined;
};

/** One node of the cluster: its view of the bank, and its faults. */
export class RpcNode {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly faucet: Faucet;
  readonly seed: string;
  readonly fork: ForkedAccounts | undefined;
  /** Whether every commitment sees the newest slot. */
  readonly isInstant: boolean;
  readonly faults = new FaultInjector();
  readonly webSockets = new Set<Connection>();
  /** Calls that read all accounts of a program. */
  readonly scans = new TurnQueue();

  constructor({ bank, transactions, faucet, seed, isInstant = false, fork }: RpcNodeOptions) {
    this.bank = bank;
    this.transactions = transactions;
    this.faucet = faucet;
    this.seed = seed;
    this.fork = fork;
    this.isInstant = isInstant;
  }

  /** The newest slot at a commitment, minus this node's lag. */
  slot(commitment: Commitment): Slot {
    const depth = this.isInstant ? 0n : DEPTH[commitment];
    return toSlot(this.bank.slot - depth - this.faults.lagSlots);
  }

  view(commitment: Commitment): BankView {
    return this.bank.view(this.slot(commitment));
  }

  /** Whether the node lags further behind than nodes tolerate. */
  get isBehind(): boolean {
    return this.faults.lagSlots > HEALTHY_LAG;
  }

  /** Terminates all WebSockets and returns their number. */
  dropWebSockets(): number {
    const connections = [...this.webSockets];
    for (const webSocket of connections) webSocket.terminate();
    return connections.length;
  }
}

/**
 * Runs one expensive call at a time, each from a new turn of the event loop: between two of them slots close and other
 * connections are served.
 */
class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      await nextTurn();
      return work();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

import { type Commitment, type Slot, toSlot } from '@tidegate/core/base';
import type { Bank, BankView } from '../runtime/bank.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import type { Faucet } from './faucet.ts';
import { FaultInjector } from './faults.ts';

/** How many slots behind the newest one each commitment is. */
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
};

/** One node of the cluster: the bank as it sees it, with faults of its own. */
export class RpcNode {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly faucet: Faucet;
  readonly seed: string;
  readonly faults = new FaultInjector();
  readonly webSockets = new Set<Connection>();

  constructor({ bank, transactions, faucet, seed }: RpcNodeOptions) {
    this.bank = bank;
    this.transactions = transactions;
    this.faucet = faucet;
    this.seed = seed;
  }

  /** The newest slot at a commitment, as late as this node is. */
  slot(commitment: Commitment): Slot {
    return toSlot(this.bank.slot - DEPTH[commitment] - this.faults.lagSlots);
  }

  view(commitment: Commitment): BankView {
    return this.bank.view(this.slot(commitment));
  }

  /** As nodes judge it: further behind the others than they let pass. */
  get isBehind(): boolean {
    return this.faults.lagSlots > HEALTHY_LAG;
  }

  /** Ends all of them without a word; how many there were. */
  dropWebSockets(): number {
    const open = [...this.webSockets];
    for (const webSocket of open) webSocket.terminate();
    return open.length;
  }
}

import { type ChainTime, type Slot, toSlot } from '@tidegate/core/base';
import {
  encodeTransaction,
  type TransactionEncodingOptions,
} from '../rpc/encoding/transaction-encoding.ts';
import { formatJson } from '../rpc/json.ts';
import type { TransactionRecord } from '../runtime/transactions/transaction-record.ts';
import type { ClusterStep, SlotChanges, StepTransaction } from './cluster-step.ts';
import type { SimulationSetup } from './setup/simulation-setup.ts';
import type { SimulationProgress } from './simulate-history.ts';

const ENCODING: TransactionEncodingOptions = {
  encoding: 'json',
  newestVersion: 0,
  hasRewards: false,
};

/** Collects the simulated changes step by step. Nodes do not store old account versions. */
export class StepCollector {
  readonly #simulation: Pick<SimulationSetup, 'bank' | 'transactions' | 'startTime'>;
  #collectedSlot: Slot;

  constructor(simulation: Pick<SimulationSetup, 'bank' | 'transactions' | 'startTime'>) {
    this.#simulation = simulation;
    this.#collectedSlot = simulation.bank.slot;
  }

  /** All accounts before the first transaction. */
  initialStep(): ClusterStep {
    const { bank, startTime } = this.#simulation;
    const slots = [{ at: startTime, accounts: [...bank.accounts()] }];
    return { at: startTime, slots, transactions: [], sample: 'hour' };
  }

  /** The elapsed time, sampled before any transaction; then the transactions of the step. */
  collect({ length, slot }: SimulationProgress): readonly ClusterStep[] {
    const { bank } = this.#simulation;
    const after = this.#collectedSlot;
    this.#collectedSlot = bank.slot;
    const elapsed = this.#stepOf(after, slot);
    const sampled = { ...elapsed, sample: length };
    return bank.slot === slot ? [sampled] : [sampled, this.#stepOf(slot, bank.slot)];
  }

  #stepOf(after: Slot, upTo: Slot): ClusterStep {
    const { bank, transactions } = this.#simulation;
    const at: ChainTime = bank.timeOf(upTo);
    const slots = bank.changesBetween(after, upTo).map(({ slot, addresses }): SlotChanges => {
      const view = bank.view(slot);
      const accounts = addresses.map((address) => ({ address, account: view.account(address) }));
      return { at: view.time, accounts };
    });
    return {
      at,
      slots,
      transactions: toStepTransactions(transactions.ledger.between(after, upTo)),
    };
  }
}

function toStepTransactions(records: readonly TransactionRecord[]): StepTransaction[] {
  let lastSlot = toSlot(0n);
  let transactionIndex = 0;
  return records.map((record) => {
    const { slot, unix: blockTime } = record.time;
    transactionIndex = slot === lastSlot ? transactionIndex + 1 : 0;
    lastSlot = slot;
    const json = formatJson({ slot, blockTime, ...encodeTransaction(record, ENCODING) });
    return { slot, transactionIndex, json };
  });
}

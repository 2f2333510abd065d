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

const FORM: TransactionEncodingOptions = { encoding: 'json', newestVersion: 0, hasRewards: false };

/** The last day is looked at by the minute, what was before by the hour; of a short play the last hour is, as it is for those in a hurry. */
const LAST_MINUTES = 24 * 60;
const SHORT_MINUTES = 7 * 24 * 60;
const LAST_OF_SHORT = 60;

/** What is played, step by step, for whoever writes it down: no node keeps what accounts were. */
export class StepCollector {
  readonly #stage: Pick<SimulationSetup, 'bank' | 'transactions' | 'founded'>;
  #told: Slot;

  constructor(stage: Pick<SimulationSetup, 'bank' | 'transactions' | 'founded'>) {
    this.#stage = stage;
    this.#told = stage.bank.slot;
  }

  /** All accounts as they were before anybody acted. */
  founding(): ClusterStep {
    const { bank, founded } = this.#stage;
    const slots = [{ at: founded, accounts: [...bank.accounts()] }];
    return { at: founded, slots, transactions: [], sample: 'hour' };
  }

  /** Time that passed, looked at before anybody acted; then what they did. */
  stepsOf({ minutes, allMinutes, movedTo }: SimulationProgress): readonly ClusterStep[] {
    const { bank } = this.#stage;
    const after = this.#told;
    this.#told = bank.slot;
    const passed = this.#stepOf(after, movedTo);
    const sampled = { ...passed, ...sampleOf(minutes, allMinutes) };
    return bank.slot === movedTo ? [sampled] : [sampled, this.#stepOf(movedTo, bank.slot)];
  }

  #stepOf(after: Slot, upTo: Slot): ClusterStep {
    const { bank, transactions } = this.#stage;
    const at: ChainTime = bank.timeOf(upTo);
    const slots = bank.changesBetween(after, upTo).map(({ slot, addresses }): SlotChanges => {
      const view = bank.view(slot);
      const accounts = addresses.map((address) => ({ address, account: view.account(address) }));
      return { at: view.time, accounts };
    });
    return { at, slots, transactions: placed(transactions.ledger.between(after, upTo)) };
  }
}

function sampleOf(minutes: number, allMinutes: number): Pick<ClusterStep, 'sample'> {
  const last = allMinutes < SHORT_MINUTES ? LAST_OF_SHORT : LAST_MINUTES;
  if (minutes > allMinutes - last) return { sample: 'minute' };
  return minutes % 60 === 0 ? { sample: 'hour' } : {};
}

function placed(records: readonly TransactionRecord[]): StepTransaction[] {
  let last = toSlot(0n);
  let place = 0;
  return records.map((record) => {
    const { slot, unix: blockTime } = record.time;
    place = slot === last ? place + 1 : 0;
    last = slot;
    const json = formatJson({ slot, blockTime, ...encodeTransaction(record, FORM) });
    return { slot, place, json };
  });
}

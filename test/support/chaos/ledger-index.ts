import { createHash } from 'node:crypto';
import { type Slot, toSlot } from '#core/base/time.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import { type LedgerCall, parseLedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import { amountsOf } from './ledger-amounts.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const KVAULT = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd';
const FARMS = 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr';

/**
 * What each instruction is recorded as, by the names of the programs' interfaces. One call is one event. Events of other
 * kinds are not compared.
 */
const INSTRUCTIONS: readonly (readonly [program: string, action: string, names: string[]])[] = [
  [KLEND, 'open loan', ['init_obligation']],
  [KLEND, 'lend', ['deposit_reserve_liquidity_and_obligation_collateral']],
  [KLEND, 'take out', ['withdraw_obligation_collateral_and_redeem_reserve_collateral']],
  [KLEND, 'borrow', ['borrow_obligation_liquidity']],
  [KLEND, 'repay', ['repay_obligation_liquidity']],
  [KLEND, 'flash borrow', ['flash_borrow_reserve_liquidity']],
  [KLEND, 'flash repay', ['flash_repay_reserve_liquidity']],
  [KVAULT, 'buy shares', ['deposit', 'deposit_with_min_shares_out', 'buy']],
  [KVAULT, 'sell shares', ['withdraw', 'withdraw_from_available', 'sell']],
  [FARMS, 'stake', ['stake']],
  [FARMS, 'unstake', ['unstake']],
  [FARMS, 'withdraw stake', ['withdraw_unstaked_deposits']],
  [FARMS, 'harvest', ['harvest_reward']],
  [FARMS, 'set stake', ['set_stake_delegated']],
];

const discriminatorOf = (name: string): string =>
  createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);

const actionsByCall = new Map(
  INSTRUCTIONS.flatMap(([program, action, names]) =>
    names
      .flatMap((name) => [name, `${name}_v2`])
      .map((name) => [`${program}/${discriminatorOf(name)}`, action] as const),
  ),
);

const actionOf = ({ program, data }: LedgerCall): string | undefined =>
  actionsByCall.get(`${program}/${data.subarray(0, 8).toString('hex')}`);

/** A transaction of the ledger that must be recorded, with the actions in it and their amounts, sorted. */
export type ExpectedEvents = {
  readonly signature: string;
  readonly slot: Slot;
  readonly actions: readonly string[];
  readonly events: readonly string[];
};

/** The transactions of a running cluster that have events. Rolled back ones are removed. */
export class LedgerIndex {
  readonly #cluster: Pick<ChaosCluster, 'localnet'>;
  #entries: ExpectedEvents[] = [];
  #indexed: Slot;
  #rollBacks = 0;

  constructor(cluster: Pick<ChaosCluster, 'localnet'>) {
    this.#cluster = cluster;
    this.#indexed = cluster.localnet.bank.slot;
    cluster.localnet.bank.onSlot(() => this.#onSlot());
  }

  /** After one slot and up to another, oldest first. */
  between(after: Slot, upTo: Slot): readonly ExpectedEvents[] {
    return this.#entries.filter(({ slot }) => slot > after && slot <= upTo);
  }

  #onSlot(): void {
    const { bank, transactions } = this.#cluster.localnet;
    for (const undoneTo of bank.rollBacks.slice(this.#rollBacks)) {
      this.#entries = this.#entries.filter(({ slot }) => slot <= undoneTo);
      if (undoneTo < this.#indexed) this.#indexed = undoneTo;
    }
    this.#rollBacks = bank.rollBacks.length;
    for (const record of transactions.ledger.between(this.#indexed, bank.slot)) {
      const { signature, time } = record;
      const found = listActions(record);
      if (found.actions.length === 0) continue;
      this.#entries.push({ signature, slot: toSlot(time.slot), ...found });
    }
    this.#indexed = bank.slot;
  }
}

const ENCODING = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;

function listActions(record: TransactionRecord): Pick<ExpectedEvents, 'actions' | 'events'> {
  const { slot, unix: blockTime } = record.time;
  const json = formatJson({ slot, blockTime, ...encodeTransaction(record, ENCODING) });
  const { hasFailed, calls, owners } = parseLedgerTransaction(json);
  if (hasFailed) return { actions: [], events: [] };
  const found = calls.flatMap((top) =>
    [top, ...top.inner].flatMap((call) => {
      const action = actionOf(call);
      if (action === undefined) return [];
      const amounts = amountsOf[action]?.({ call, inner: top.inner, owners });
      return [{ action, event: `${action} ${amounts}` }];
    }),
  );
  return {
    actions: found.map(({ action }) => action).toSorted(),
    events: found.map(({ event }) => event).toSorted(),
  };
}

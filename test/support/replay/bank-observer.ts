import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import type { ObservedSlot, ObservedTransaction } from '#localnet/replay/observed-slot.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import { FOLLOWED } from './golden-slots.ts';

/** What a server sees of a bank: the accounts that it follows, and the transactions of each slot. */
export class BankObserver {
  readonly slots: ObservedSlot[] = [];
  #accounts: ReadonlyMap<Address, ClusterAccount | undefined> = new Map();
  #executed: ObservedTransaction[] = [];

  begin(accounts: Iterable<readonly [Address, ClusterAccount]>): void {
    this.#accounts = new Map([...accounts].filter(([, { owner }]) => FOLLOWED.includes(owner)));
  }

  executed(record: TransactionRecord): void {
    const { signature, time } = record;
    const encoding = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;
    const fields = {
      slot: time.slot,
      blockTime: time.unix,
      ...encodeTransaction(record, encoding),
    };
    const response: unknown = JSON.parse(formatJson(fields));
    this.#executed.push({ signature, index: this.#executed.length, response });
  }

  /** After the bank closed all slots since `last`. */
  closed(bank: Bank, last: Slot): void {
    const before = this.#accounts;
    const written = bank
      .changesBetween(last, toSlot(bank.slot))
      .flatMap(({ addresses }) => addresses);
    const changed = written.flatMap((address) => {
      const account = bank.account(address);
      const isFollowed = before.has(address) || FOLLOWED.includes(account?.owner ?? '');
      return isFollowed ? [[address, account] as const] : [];
    });
    this.#accounts = new Map([...before, ...changed]);
    const time = bank.timeOf(bank.slot);
    const transactions = this.#executed;
    this.#executed = [];
    if (transactions.length === 0) return;
    this.slots.push({ time, transactions, before, after: this.#accounts, isComplete: true });
  }
}

import { type Address, parseAddress, type Slot } from '@tidegate/core/base';
import type {
  AccountUpdate,
  StreamedTransaction,
  TransactionNotice,
} from '../../source/chain-source.ts';
import type { AccountsTarget } from '../../source/stream.ts';
import type { CompleteSlot } from './slot-buffer.ts';
import type { StreamTarget } from './subscribe-request.ts';
import { decodeTransactionJson } from './transaction-json.ts';

/** A filter of the stream and who receives what it selects. */
export type StreamSubscriber =
  | { readonly target: AccountsTarget; readonly onUpdate: (update: AccountUpdate) => void }
  | {
      readonly target: Extract<StreamTarget, { readonly kind: 'logs' }>;
      readonly onLogs: (notice: TransactionNotice) => void;
    }
  | {
      readonly target: Extract<StreamTarget, { readonly kind: 'transactions' }>;
      readonly onTransaction: (transaction: StreamedTransaction) => void;
    };

type Subscribers = ReadonlyMap<string, StreamSubscriber>;
type TransactionJson = ReturnType<typeof decodeTransactionJson>;

/**
 * Delivers a slot: transactions, accounts that they closed, then updates of accounts, so that an account that was closed
 * and created again exists in the end.
 */
export function deliverSlot(complete: CompleteSlot, subscribers: Subscribers): void {
  const closed = deliverTransactions(complete, subscribers);
  announceClosed(closed, complete.slot, subscribers);
  for (const { message, filters } of complete.accounts) {
    const { address, account, slot } = message;
    for (const name of filters) {
      const subscriber = subscribers.get(name);
      if (subscriber !== undefined && 'onUpdate' in subscriber) {
        subscriber.onUpdate({ address, account, slot });
      }
    }
  }
}

/** Returns the accounts that the transactions closed. */
function deliverTransactions(complete: CompleteSlot, subscribers: Subscribers): Set<Address> {
  const { slot, unix: blockTime } = complete;
  const closed = new Set<Address>();
  for (const { message, filters } of complete.transactions) {
    const { signature, failed, transactionIndex, encoded } = message;
    const transaction = encoded && decodeTransactionJson(encoded, { slot, blockTime });
    if (transaction !== undefined && !failed) {
      for (const address of closedAccounts(transaction)) closed.add(address);
    }
    for (const name of filters) {
      const subscriber = subscribers.get(name);
      if (subscriber === undefined) continue;
      if ('onLogs' in subscriber) subscriber.onLogs({ slot, signature, failed });
      else if ('onTransaction' in subscriber && transaction !== undefined) {
        subscriber.onTransaction({ slot, signature, failed, transactionIndex, transaction });
      }
    }
  }
  return closed;
}

/** A server sends a closed account only to filters of its new owner. */
function announceClosed(closed: Set<Address>, slot: Slot, subscribers: Subscribers): void {
  if (closed.size === 0) return;
  for (const subscriber of [...subscribers.values()]) {
    if (!('onUpdate' in subscriber) || subscriber.target.kind !== 'program') continue;
    for (const address of closed) subscriber.onUpdate({ address, account: undefined, slot });
  }
}

/** An account without lamports does not exist. */
function closedAccounts({ meta, transaction }: TransactionJson): Address[] {
  const { preBalances, postBalances, loadedAddresses } = meta;
  const { writable, readonly } = loadedAddresses;
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  return keys.flatMap((key, i) =>
    postBalances[i] === 0 && preBalances[i] !== 0 ? (parseAddress(key) ?? []) : [],
  );
}

import { decodeBase64 } from '@tidegate/core/base';
import type { Localnet } from '../cluster/localnet.ts';
import { CodedError } from '../errors/index.ts';
import { transactionErrorMessage } from '../rpc/encoding/error-message.ts';
import { loadTransactionAccounts } from '../rpc/forked-reads.ts';
import { receiveTransaction } from '../runtime/transactions/received-transaction.ts';

/** A transaction that has landed. */
export type SentTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  /** Why it failed, as a node says it; undefined if it succeeded. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
  readonly computeUnits: number;
};

/** Sends a transaction and waits for its slot. Throws if the cluster does not execute it. */
export async function sendAndLand(
  localnet: Localnet,
  transaction: Uint8Array | string,
): Promise<SentTransaction> {
  const { bank, fork, transactions } = localnet;
  const wire =
    typeof transaction === 'string' ? decodeBase64(transaction, 'transaction') : transaction;
  const received = transactions.identify(receiveTransaction(wire));
  if (fork !== undefined) await loadTransactionAccounts(fork, received, bank);
  const checks = { signatures: true, blockhash: true };
  const preflight = transactions.simulate(received, bank.view(bank.slot), checks);
  if (preflight.kind === 'rejected') throw rejected(transactionErrorMessage(preflight.error));
  await localnet.submit(received);
  const record = transactions.ledger.find(received.signature);
  if (record === undefined) throw rejected('it was valid when it was sent, but no longer');
  const { signature, error, logs, units, time } = record;
  return {
    signature,
    slot: time.slot,
    error: error === undefined ? undefined : transactionErrorMessage(error),
    logs,
    computeUnits: units,
  };
}

const rejected = (reason: string): CodedError => new CodedError('TRANSACTION_REJECTED', { reason });

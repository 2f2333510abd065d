import type { Address, Slot } from '@tidegate/core/base';
import type { AccountProof, SlotProof, TransactionProof } from '@tidegate/localnet/replay';
import type { LedgerReader } from '../chain/source/ledger-reader.ts';
import { programDeployments } from '../indexer/follow/account-sets.ts';
import { checkTransactions } from './block-check.ts';
import { notProvable } from './silent-accounts.ts';

type CheckedSlot = { readonly slot: Slot; readonly signatures: ReadonlySet<string> };

/**
 * A difference counts only if the node lists no further transaction in the slot: of the account, or for the outcome of a
 * transaction of the programs that it calls.
 */
export async function confirmDifferences(
  { accounts, transactions }: SlotProof,
  ledger: Pick<LedgerReader, 'listSignatures'>,
  slot: CheckedSlot,
): Promise<SlotProof> {
  const isComplete = async (address: Address) =>
    (await checkTransactions(ledger, address, slot)) === 'complete';
  const confirmed: { accounts: AccountProof[]; transactions: TransactionProof[] } = {
    accounts: [],
    transactions: [],
  };
  for (const each of accounts) {
    const counts = each.verdict !== 'differing' || (await isComplete(each.address));
    confirmed.accounts.push(counts ? each : notProvable(each, 'transactionMissing'));
  }
  for (const each of transactions) {
    const counts =
      each.verdict !== 'differing' || (await areAllComplete(programsOf(each), isComplete));
    confirmed.transactions.push(counts ? each : notProvable(each, 'transactionMissing'));
  }
  return confirmed;
}

const programsOf = ({ calls }: TransactionProof): readonly Address[] =>
  [...new Set(calls.map(({ program }) => program))].flatMap((name) => programDeployments[name]);

async function areAllComplete(
  addresses: readonly Address[],
  isComplete: (address: Address) => Promise<boolean>,
): Promise<boolean> {
  for (const address of addresses) if (!(await isComplete(address))) return false;
  return true;
}

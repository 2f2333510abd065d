import type { Address, Slot } from '@tidegate/core/base';
import { parseTransaction } from '@tidegate/core/protocol/spl/transaction';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { CodedError, hasCode } from '../../errors.ts';

type WrittenAccountsQuery = {
  readonly ledger: LedgerReader;
  readonly program: Address;
  /** Writes after the first slot and up to the second are needed. */
  readonly after: Slot;
  readonly upTo: Slot;
  /** Waits before the list is read again. */
  readonly pause: () => Promise<void>;
};

const PAGE = 1_000;
/** Many transactions fail, and change nothing. */
const MAX_PAGES = 4;
/** More transactions than this cost more than a read of all accounts. */
const MAX_TRANSACTIONS = 1_000;
/** Transactions that are in memory at a time. */
const PART = 100;
/** A node lists transactions somewhat later than it executes them. */
const SETTLED_SLOTS = 8n;
const ATTEMPTS = 6;

/**
 * Finds the accounts that a program may have written, from its transactions. Only the program itself writes its accounts,
 * and a transaction that calls it has it and every account that it writes among its keys. Undefined if it is not certain
 * that all transactions are listed: the list must reach from before the first slot to a while after the last.
 */
export async function findWrittenAccounts(
  query: WrittenAccountsQuery,
): Promise<ReadonlySet<Address> | undefined> {
  try {
    const listed = await listTransactions(query);
    const succeeded = listed?.filter(({ failed }) => !failed);
    if (succeeded === undefined || succeeded.length > MAX_TRANSACTIONS) return undefined;
    return await readWrittenAccounts(query.ledger, succeeded);
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES') || hasCode(error, 'MALFORMED_DATA')) return undefined;
    throw error;
  }
}

async function listTransactions(
  query: WrittenAccountsQuery,
): Promise<readonly ListedTransaction[] | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await query.pause();
    const listed = await listBackTo(query);
    if (listed === undefined) return undefined;
    const [newest] = listed;
    if (newest !== undefined && newest.slot >= query.upTo + SETTLED_SLOTS) return listed;
  }
  return undefined;
}

/** Newest first. Undefined if there are too many, or if the node does not list transactions of that time. */
async function listBackTo({
  ledger,
  program: address,
  after,
}: WrittenAccountsQuery): Promise<readonly ListedTransaction[] | undefined> {
  const listed: ListedTransaction[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const before = listed.at(-1)?.signature;
    const page = await ledger.listSignatures({ address, limit: PAGE, ...(before && { before }) });
    const end = page.findIndex(({ slot }) => slot <= after);
    if (end !== -1) return [...listed, ...page.slice(0, end)];
    if (page.length === 0) return undefined;
    listed.push(...page);
  }
  return undefined;
}

async function readWrittenAccounts(
  ledger: LedgerReader,
  listed: readonly ListedTransaction[],
): Promise<ReadonlySet<Address>> {
  const written = new Set<Address>();
  const signatures = listed.map(({ signature }) => signature);
  for (let start = 0; start < signatures.length; start += PART) {
    for (const response of await ledger.getTransactions(signatures.slice(start, start + PART))) {
      if (response === undefined) throw unknownTransaction();
      for (const { address, isWritable } of parseTransaction(response).accounts) {
        if (isWritable) written.add(address);
      }
    }
  }
  return written;
}

const unknownTransaction = (): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'list of transactions', reason: 'one is unknown' });

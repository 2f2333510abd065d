import type { Address } from '@tidegate/core/base';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { CodedError } from '../../errors.ts';

export type SignaturePagesQuery = {
  readonly address: Address;
  /** Lists transactions before this one; from the newest if omitted. */
  readonly before?: string;
  /** Size of the first page; at most 1,000, which is also the size of the others. */
  readonly firstLimit?: number;
};

/** The most that a node lists per request. */
export const PAGE_SIGNATURES = 1_000;

/** All transactions that mention an address, newest first, back to the oldest that the node knows. */
export async function* readSignaturePages(
  ledger: LedgerReader,
  { address, before, firstLimit = PAGE_SIGNATURES }: SignaturePagesQuery,
): AsyncGenerator<readonly ListedTransaction[]> {
  let last = before;
  for (let limit = firstLimit; ; limit = PAGE_SIGNATURES) {
    const page = await ledger.listSignatures({
      address,
      limit,
      ...(last !== undefined && { before: last }),
    });
    if (page.length > 0) yield page;
    else if (last !== undefined) await requireKnown(ledger, last);
    const oldest = page.at(-1);
    if (oldest === undefined || page.length < limit) return;
    last = oldest.signature;
  }
}

/** A node also lists nothing before a signature that it does not know, so an empty page may not be the end. */
async function requireKnown(ledger: LedgerReader, signature: string): Promise<void> {
  const [found] = await ledger.getTransactions([signature]);
  if (found !== undefined) return;
  const reason = 'a transaction that it listed before is gone';
  throw new CodedError('SOURCE_UNAVAILABLE', { source: 'list of transactions', reason });
}

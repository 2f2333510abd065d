import { type Address, CodedError } from '@tidegate/core/base';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';

export type SignaturePagesQuery = {
  readonly address: Address;
  /** Older than this one; without it from the newest on. */
  readonly before?: string;
};

/** As many as a node lists at once. */
const PAGE_SIGNATURES = 1_000;

/** All transactions that mention an address, newest first, in pages, back to the first that the node knows. */
export async function* readSignaturePages(
  ledger: LedgerReader,
  { address, before }: SignaturePagesQuery,
): AsyncGenerator<readonly ListedTransaction[]> {
  let last = before;
  for (;;) {
    const page = await ledger.signatures({
      address,
      limit: PAGE_SIGNATURES,
      ...(last !== undefined && { before: last }),
    });
    if (page.length > 0) yield page;
    else if (last !== undefined) await requireKnown(ledger, last);
    const oldest = page.at(-1);
    if (oldest === undefined || page.length < PAGE_SIGNATURES) return;
    last = oldest.signature;
  }
}

/** For one that it does not know (any more) a node lists nothing, which is not the end. */
async function requireKnown(ledger: LedgerReader, signature: string): Promise<void> {
  const [found] = await ledger.transactions([signature]);
  if (found !== undefined) return;
  const reason = 'a transaction that it had listed is gone';
  throw new CodedError('SOURCE_UNAVAILABLE', { source: 'list of transactions', reason });
}

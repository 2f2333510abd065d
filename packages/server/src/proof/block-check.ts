import type { Address, Slot } from '@tidegate/core/base';
import type { LedgerReader } from '../chain/source/ledger-reader.ts';
import { CodedError } from '../errors.ts';

export type BlockCheck = 'complete' | 'transactionMissing' | 'unknown';

const PAGE = 1_000;
const MAX_PAGES = 5;

/**
 * Whether the node lists, for an account and a slot, exactly the transactions that were replayed. An announcement may be
 * late, or its slot rolled back, so that a difference alone proves nothing.
 */
export async function checkTransactions(
  ledger: Pick<LedgerReader, 'listSignatures'>,
  address: Address,
  { slot, signatures }: { readonly slot: Slot; readonly signatures: ReadonlySet<string> },
): Promise<BlockCheck> {
  try {
    let before: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { address, limit: PAGE, ...(before !== undefined && { before }) };
      const listed = await ledger.listSignatures(query);
      const inSlot = listed.filter((each) => each.slot === slot && !each.failed);
      if (inSlot.some(({ signature }) => !signatures.has(signature))) return 'transactionMissing';
      const last = listed.at(-1);
      if (last === undefined || last.slot < slot || listed.length < PAGE) return 'complete';
      before = last.signature;
    }
    return 'unknown';
  } catch (error) {
    if (error instanceof CodedError) return 'unknown';
    throw error;
  }
}

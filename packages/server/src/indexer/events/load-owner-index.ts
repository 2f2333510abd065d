import type { ChainSource } from '../../chain/source/chain-source.ts';
import { type Programs, trackedKinds } from '../follow/account-sets.ts';
import { EventFactsBook } from './owner-index.ts';

/** What events name and no user owns, as it is now; whose a position is, is asked for with its first event. */
export async function loadFacts(
  source: Pick<ChainSource, 'scan'>,
  programs: Programs,
): Promise<EventFactsBook> {
  const book = new EventFactsBook();
  for (const { kind, scan } of trackedKinds(programs, 'on-demand')) {
    if (scan === undefined || !['reserve', 'vault', 'farm'].includes(kind)) continue;
    const { accounts } = await source.scan(scan);
    for (const { address, account } of accounts) book.see(address, account);
  }
  return book;
}

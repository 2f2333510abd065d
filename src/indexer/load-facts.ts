import type { ChainSource } from '../chain/source.ts';
import { EventFactsBook } from './event-facts.ts';
import { type Programs, trackedKinds } from './tracked-kinds.ts';

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

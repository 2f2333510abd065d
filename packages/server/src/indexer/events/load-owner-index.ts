import type { ChainSource } from '../../chain/source/chain-source.ts';
import { type ProgramDeployments, programAccountSets } from '../follow/account-sets.ts';
import { OwnerIndex } from './owner-index.ts';

/** What events name and no user owns, as it is now; whose a position is, is asked for with its first event. */
export async function loadOwnerIndex(
  source: Pick<ChainSource, 'scan'>,
  programs: ProgramDeployments,
): Promise<OwnerIndex> {
  const book = new OwnerIndex();
  for (const { kind, scan } of programAccountSets(programs, 'on-demand')) {
    if (scan === undefined || !['reserve', 'vault', 'farm'].includes(kind)) continue;
    const { accounts } = await source.scan(scan);
    for (const { address, account } of accounts) book.see(address, account);
  }
  return book;
}

import type { ChainSource } from '../../chain/source/chain-source.ts';
import { type ProgramDeployments, programAccountSets } from '../follow/account-sets.ts';
import { OwnerIndex } from './owner-index.ts';

/** Loads reserves, vaults and farms. Owners of positions are loaded with their first event. */
export async function loadOwnerIndex(
  source: Pick<ChainSource, 'scanProgram'>,
  programs: ProgramDeployments,
): Promise<OwnerIndex> {
  const index = new OwnerIndex();
  for (const { kind, scan } of programAccountSets(programs, 'on-demand')) {
    if (scan === undefined || !['reserve', 'vault', 'farm'].includes(kind)) continue;
    const { accounts } = await source.scanProgram(scan);
    for (const { address, account } of accounts) index.addAccount(address, account);
  }
  return index;
}

import type { Address } from '../../base/address.ts';
import type { ChainTime } from '../../base/time.ts';
import type { ClusterAccount } from '../../chain/source.ts';
import { factsOf, type GenesisFacts } from './facts.ts';
import { fillPockets } from './fill-pockets.ts';
import { listAccounts } from './list-accounts.ts';
import { playPast } from './play-past.ts';
import { foundWorld } from './world.ts';

/** The accounts that a cluster begins with, in a fixed order, and what no account says. */
export type Genesis = {
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  readonly facts: GenesisFacts;
};

/** Same seed and same `at`, same bytes. */
export function createGenesis({ seed, at }: { seed: string; at: ChainTime }): Genesis {
  const world = foundWorld(seed, at);
  playPast(world);
  const lamportsOfKeys = fillPockets(world);
  return { accounts: listAccounts(world, lamportsOfKeys), facts: factsOf(world) };
}

import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  CodedError,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { SLOTS_PER_DAY } from '../runtime/slot-time.ts';
import { type ClusterMetadata, clusterMetadata } from './cluster-metadata.ts';
import { fundWallets } from './fund-wallets.ts';
import { createGenesisState, type GenesisState } from './genesis-state.ts';
import { listGenesisAccounts } from './list-accounts.ts';
import { createSeededKeys } from './seed/seeded-keys.ts';

/** The accounts that a cluster begins with, in a fixed order, and what no account says. */
export type Genesis = {
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  readonly facts: ClusterMetadata;
  readonly world: GenesisState;
};

export type GenesisPlan = {
  readonly seed: string;
  /** When the time that is to be played ends. */
  readonly until: ChainTime;
  /** How long it is: the cluster is founded so many days before. */
  readonly days: number;
};

const SECONDS_PER_DAY = 86_400n;

/** What no account says of a cluster that was made by a plan. */
export const metadataOfPlan = ({ seed, until, days }: GenesisPlan): ClusterMetadata =>
  clusterMetadata({ keys: createSeededKeys(seed), founded: daysBefore(until, days), days });

/** What admins set up, and people who have money and nothing else yet. Same plan, same bytes. */
export function createGenesis(plan: GenesisPlan): Genesis {
  const world = worldOf(plan);
  return {
    accounts: listGenesisAccounts(world, fundWallets(world)),
    facts: clusterMetadata(world),
    world,
  };
}

const worldOf = ({ seed, until, days }: GenesisPlan): GenesisState =>
  createGenesisState({ seed, founded: daysBefore(until, days), days });

function daysBefore(until: ChainTime, days: number): ChainTime {
  if (until.slot < BigInt(days + 1) * SLOTS_PER_DAY) {
    const reason = `it ends in slot ${until.slot}, which leaves no ${days} days before it`;
    throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
  }
  return {
    slot: toSlot(until.slot - BigInt(days) * SLOTS_PER_DAY),
    unix: toUnixSeconds(until.unix - BigInt(days) * SECONDS_PER_DAY),
  };
}

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

/** The initial accounts in a fixed order, and the metadata that is not on chain. */
export type Genesis = {
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  readonly metadata: ClusterMetadata;
  readonly state: GenesisState;
};

export type GenesisPlan = {
  readonly seed: string;
  /** End of the simulated period. */
  readonly until: ChainTime;
  /** Length of the simulated period: genesis is this many days before its end. */
  readonly days: number;
};

const SECONDS_PER_DAY = 86_400n;

/** Metadata of a cluster created with the plan. */
export const metadataOfPlan = ({ seed, until, days }: GenesisPlan): ClusterMetadata =>
  clusterMetadata({ keys: createSeededKeys(seed), startTime: daysBefore(until, days), days });

/** The configured protocol and funded wallets. The same plan gives the same bytes. */
export function createGenesis(plan: GenesisPlan): Genesis {
  const state = stateOfPlan(plan);
  return {
    accounts: listGenesisAccounts(state, fundWallets(state)),
    metadata: clusterMetadata(state),
    state,
  };
}

const stateOfPlan = ({ seed, until, days }: GenesisPlan): GenesisState =>
  createGenesisState({ seed, startTime: daysBefore(until, days), days });

function daysBefore(until: ChainTime, days: number): ChainTime {
  if (until.slot < BigInt(days + 1) * SLOTS_PER_DAY) {
    const reason = `slot ${until.slot} is less than ${days} days after slot 0`;
    throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
  }
  return {
    slot: toSlot(until.slot - BigInt(days) * SLOTS_PER_DAY),
    unix: toUnixSeconds(until.unix - BigInt(days) * SECONDS_PER_DAY),
  };
}

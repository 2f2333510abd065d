import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { CodedError } from '../errors/index.ts';
import { slotsBetween } from '../runtime/slot-time.ts';
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

/** The configured protocol and funded wallets. The same plan and rules give the same bytes. */
export function createGenesis(plan: GenesisPlan, rulesAt: RulesAt): Genesis {
  const state = stateOfPlan(plan, rulesAt);
  return {
    accounts: listGenesisAccounts(state, fundWallets(state)),
    metadata: clusterMetadata(state),
    state,
  };
}

function stateOfPlan({ seed, until, days }: GenesisPlan, rulesAt: RulesAt): GenesisState {
  const startTime = daysBefore(until, days);
  return createGenesisState({ seed, startTime, days }, rulesAt(startTime.slot));
}

function daysBefore(until: ChainTime, days: number): ChainTime {
  const unix = until.unix - BigInt(days) * SECONDS_PER_DAY;
  if (until.slot < slotsBetween(unix - SECONDS_PER_DAY, until.unix)) {
    const reason = `slot ${until.slot} is less than ${days} days after slot 0`;
    throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
  }
  return { slot: toSlot(until.slot - slotsBetween(unix, until.unix)), unix: toUnixSeconds(unix) };
}

import type { Logger } from '@tidegate/core/base';
import type { AccountKind, ClusterState } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { AccountSet } from '../follow/account-sets.ts';
import type { AccountAgreement } from '../follow/checks/account-agreement.ts';
import type { SlotQueue } from '../follow/slot-queue.ts';

/** What is followed, and how far state is. */
export type FollowedAccounts = {
  readonly queue: Pick<SlotQueue, 'completeSlot' | 'waitForSlot' | 'observe' | 'push'>;
  readonly sets: () => readonly FollowedSet[];
  /** Increases with every gap. */
  readonly gaps: () => number;
  /** Whether accounts are read again after a gap. */
  readonly isResyncing: () => boolean;
  /** Compares endpoints with each other. */
  readonly agreement: AccountAgreement;
};

type FollowedSet = {
  readonly accountSet: AccountSet;
  /** False if its changes are known only by reads. */
  readonly receivesUpdates: boolean;
};

export type DriftContext = {
  readonly source: Pick<ChainSource, 'getAccounts' | 'streamProgram'>;
  readonly state: ClusterState;
  readonly followed: FollowedAccounts;
  /** Where updates come from. */
  readonly step: () => string;
  readonly log: Logger;
};

/** Kinds that grow with the number of users. They are read by scans, which also find accounts that state lacks. */
export const USER_KINDS: readonly AccountKind[] = ['obligation', 'farmUser', 'shares'];

/** The others. They are read by address. */
export const PROGRAM_KINDS: readonly AccountKind[] = [
  'market',
  'reserve',
  'vault',
  'farm',
  'farmsConfig',
  'prices',
  'withdrawTicket',
  'lookupTable',
];

/** With polling, accounts of programs are read again and again anyway, and users' accounts are behind by design. */
export const isPolling = (step: string): boolean => step === 'polling';

/** Longest time that a comparison waits for the slot of its read. */
export const SLOT_WAIT_MS = 60_000;

/** Most accounts that a node returns by address. */
export const BATCH = 100;

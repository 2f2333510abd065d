import { newestRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';

/** The build of February 2025. */
const rules1_4: FarmsRules = {
  countsUserRewards: false,
  closesEmptyUserStates: false,
  oneTimeReward: 'unclaimed',
  harvestForOwner: 'any account of the owner',
};

const rules1_6: FarmsRules = { ...rules1_4, countsUserRewards: true };

const rules1_7: FarmsRules = {
  ...rules1_6,
  closesEmptyUserStates: true,
  oneTimeReward: 'cumulative and id',
  harvestForOwner: 'associated account',
};

/** Releases of the farms program whose rules differ from the one before. */
export const farmsReleases: ReleaseTable<FarmsRules> = [
  { version: '1.4', deploySlot: toSlot(0n), rules: rules1_4 },
  { version: '1.6.5', deploySlot: toSlot(379_693_642n), rules: rules1_6 },
  { version: '1.7.0', deploySlot: 'not deployed', rules: rules1_7 },
];

/** The rules of the newest deployed release. */
export const NEWEST_FARMS_RULES: FarmsRules = newestRelease(farmsReleases).rules;

/** The rules that differ between releases of the farms program, see `farmsReleases`. */
export type FarmsRules = {
  /** Whether users have cumulative rewards (`rewardsIssuedCumulative`). */
  readonly countsUserRewards: boolean;
  /** Whether there is the instruction `closeEmptyUserState`. */
  readonly closesEmptyUserStates: boolean;
  /**
   * The rewards of the user that `rewardUserOnce` compares with its argument. With the cumulative ones it also compares
   * the id of the user state, which is a fourth argument.
   */
  readonly oneTimeReward: 'unclaimed' | 'cumulative and id';
  /** Where a reward goes that somebody else harvests for the owner. */
  readonly harvestForOwner: 'any account of the owner' | 'associated account';
};

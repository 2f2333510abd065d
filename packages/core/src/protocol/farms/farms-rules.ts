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

/** Differences between builds of the program. */
export type FarmsRules = {
  /** Whether users have cumulative rewards (`rewardsIssuedCumulative`). */
  readonly countsUserRewards: boolean;
};

export const CURRENT_FARMS_RULES: FarmsRules = { countsUserRewards: true };

/** The build of February 2025. */
export const LEGACY_FARMS_RULES: FarmsRules = { countsUserRewards: false };

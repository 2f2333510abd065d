/** Where builds of the program differ. */
export type FarmsRules = {
  /** Whether users have a count of all that they ever earned (`rewardsIssuedCumulative`). */
  readonly countsUserRewards: boolean;
};

export const CURRENT_FARMS_RULES: FarmsRules = { countsUserRewards: true };

/** The build of February 2025. */
export const LEGACY_FARMS_RULES: FarmsRules = { countsUserRewards: false };

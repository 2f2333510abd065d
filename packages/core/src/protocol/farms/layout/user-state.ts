import { lamports } from '../../../base/encoding/branded-fields.ts';
import { flag } from '../../../base/encoding/known-values.ts';
import {
  array,
  type Decoded,
  padding,
  pubkey,
  u8,
  u64,
  u128,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { FARMS_PROGRAMS } from '../program.ts';

/** A stake in a farm. Times are in the farm's time unit. */
export const userState = account({
  name: 'farms.UserState',
  owners: FARMS_PROGRAMS,
  discriminator: '48b155f94ca7ba7e',
  fields: {
    userId: u64,
    farmState: pubkey,
    owner: pubkey,
    isFarmDelegated: flag(u8),
    padding0: padding(7),
    /** Times 10^18. The cumulative earnings already credited, a whole number of lamports. */
    rewardsTallyScaled: array(u128, 10),
    rewardsIssuedUnclaimed: array(lamports, 10),
    lastClaimTs: array(u64, 10),
    /** Shares times 10^18, or the plain amount in a delegated farm. */
    activeStakeScaled: u128,
    pendingDepositStakeScaled: u128,
    pendingDepositStakeTs: u64,
    pendingWithdrawalUnstakeScaled: u128,
    pendingWithdrawalUnstakeTs: u64,
    bump: u64,
    /** The owner, or in a delegated farm the obligation that the stake represents. */
    delegatee: pubkey,
    lastStakeTs: u64,
    /** Zero in states that are older than this field. Saturates at 2^64 - 1. */
    rewardsIssuedCumulative: array(lamports, 10),
    padding1: padding(320),
  },
});

export type UserState = Decoded<typeof userState>;
export type UserStateView = View<typeof userState>;

import type { Address } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { addRewards } from '../../../protocol/farms/instructions/add-rewards.ts';
import { closeEmptyUserState } from '../../../protocol/farms/instructions/close-empty-user-state.ts';
import { harvestReward } from '../../../protocol/farms/instructions/harvest-reward.ts';
import { initializeUser } from '../../../protocol/farms/instructions/initialize-user.ts';
import { refreshFarm } from '../../../protocol/farms/instructions/refresh-farm.ts';
import { refreshUserState } from '../../../protocol/farms/instructions/refresh-user-state.ts';
import { setStakeDelegated } from '../../../protocol/farms/instructions/set-stake-delegated.ts';
import { stake } from '../../../protocol/farms/instructions/stake.ts';
import { transferOwnership } from '../../../protocol/farms/instructions/transfer-ownership.ts';
import { unstake } from '../../../protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '../../../protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import { refreshPriceList } from '../../../protocol/scope/instructions/refresh-price-list.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const STAKE = { notes: ['userState'] } as const;

type Stake = { readonly userState: Address; readonly farmState: Address };

/** A stake says where it is, unless nothing is known of it. */
const stakeOf = ({ userState, farmState }: Stake, words: DescriptionContext): string => {
  const name = words.name(userState);
  return name === userState ? `the stake ${name} in ${words.name(farmState)}` : name;
};

export const farmDescriptions: readonly DescribedCodec[] = [
  withDescription(
    initializeUser,
    ({ accounts }, words) =>
      `Register ${words.name(accounts.delegatee)} in ${words.name(accounts.farmState)}`,
  ),
  withDescription(stake, ({ accounts, args: { amount } }, words) => {
    const { tokenMint, farmState } = accounts;
    const what =
      amount === U64_MAX ? `all ${words.unit(tokenMint)}` : words.tokens(amount, tokenMint);
    return `Stake ${what} in ${words.name(farmState)}`;
  }),
  withDescription(unstake, ({ accounts, args: { stakeSharesScaled } }, words) => {
    const mint = words.stakedMint(accounts.farmState);
    const amount = stakeSharesScaled / WAD;
    const what = amount >= U64_MAX ? `all ${words.unit(mint)}` : words.tokens(amount, mint);
    return `Unstake ${what} from ${words.name(accounts.farmState)}`;
  }),
  withDescription(
    withdrawUnstakedDeposits,
    ({ accounts }, words) =>
      `Take the unstaked ${words.unit(words.stakedMint(accounts.farmState))} out of ${words.name(accounts.farmState)}`,
    { receives: ['userAta'] },
  ),
  withDescription(
    harvestReward,
    ({ accounts }, words) =>
      `Claim the ${words.unit(accounts.rewardMint)} earned in ${words.name(accounts.farmState)}`,
    { receives: ['userRewardTokenAccount'], notes: ['userState'] },
  ),
  withDescription(
    refreshFarm,
    ({ accounts }, words) => `Update the rewards of ${words.name(accounts.farmState)}`,
  ),
  withDescription(
    refreshUserState,
    ({ accounts }, words) => `Update the rewards of ${stakeOf(accounts, words)}`,
    STAKE,
  ),
  withDescription(
    transferOwnership,
    ({ accounts }, words) =>
      `Hand ${stakeOf({ ...accounts, userState: accounts.oldUserState }, words)} over to ${words.name(accounts.newOwner)}`,
    {
      notes: ['oldUserState'],
      alerts: ({ accounts }, words) => [
        {
          kind: 'CHANGES_AUTHORITY',
          message: `A stake and what it earns from now on go over to ${words.name(accounts.newOwner)}.`,
        },
      ],
    },
  ),
  withDescription(
    closeEmptyUserState,
    ({ accounts }, words) =>
      `Close ${stakeOf(accounts, words)}, which is empty, its SOL to ${words.name(accounts.rentReceiver)}`,
    STAKE,
  ),
  withDescription(
    setStakeDelegated,
    ({ accounts, args }, words) => `Set ${stakeOf(accounts, words)} to ${args.newAmount}`,
    STAKE,
  ),
  withDescription(addRewards, ({ accounts, args: { amount } }, words) => {
    const what = words.tokens(amount, accounts.rewardMint);
    return `Add ${what} to the rewards of ${words.name(accounts.farmState)}`;
  }),
];

export const oracleDescriptions: readonly DescribedCodec[] = [
  withDescription(
    refreshPriceList,
    ({ list, accounts }, words) =>
      `Update ${list.length} prices of ${words.name(accounts.oraclePrices)}`,
    { listName: 'tokens' },
  ),
];

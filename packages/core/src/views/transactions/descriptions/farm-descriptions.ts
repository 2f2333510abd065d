import type { Address } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { refreshFarm } from '../../../protocol/farms/instructions/farm-setup.ts';
import { addRewards, harvestReward } from '../../../protocol/farms/instructions/rewards.ts';
import {
  closeEmptyUserState,
  initializeUser,
  refreshUserState,
  setStakeDelegated,
  stake,
  transferOwnership,
  unstake,
  withdrawUnstakedDeposits,
} from '../../../protocol/farms/instructions/staking.ts';
import { refreshPriceList } from '../../../protocol/scope/instructions/refresh-price-list.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const STAKE = { notes: ['userState'] } as const;

type Stake = { readonly userState: Address; readonly farmState: Address };

/** A stake without a label is described by its farm. */
const stakeOf = ({ userState, farmState }: Stake, context: DescriptionContext): string => {
  const name = context.name(userState);
  return name === userState ? `the stake ${name} in ${context.name(farmState)}` : name;
};

export const farmDescriptions: readonly DescribedCodec[] = [
  withDescription(
    initializeUser,
    ({ accounts }, context) =>
      `Register ${context.name(accounts.delegatee)} in ${context.name(accounts.farmState)}`,
  ),
  withDescription(stake, ({ accounts, args: { amount } }, context) => {
    const { tokenMint, farmState } = accounts;
    const what =
      amount === U64_MAX ? `all ${context.unit(tokenMint)}` : context.tokens(amount, tokenMint);
    return `Stake ${what} in ${context.name(farmState)}`;
  }),
  withDescription(unstake, ({ accounts, args: { stakeSharesScaled } }, context) => {
    const mint = context.stakedMint(accounts.farmState);
    const amount = stakeSharesScaled / WAD;
    const what = amount >= U64_MAX ? `all ${context.unit(mint)}` : context.tokens(amount, mint);
    return `Unstake ${what} from ${context.name(accounts.farmState)}`;
  }),
  withDescription(
    withdrawUnstakedDeposits,
    ({ accounts }, context) =>
      `Withdraw unstaked ${context.unit(context.stakedMint(accounts.farmState))} from ${context.name(accounts.farmState)}`,
    { receives: ['userAta'] },
  ),
  withDescription(
    harvestReward,
    ({ accounts }, context) =>
      `Claim ${context.unit(accounts.rewardMint)} rewards from ${context.name(accounts.farmState)}`,
    { receives: ['userRewardTokenAccount'], notes: ['userState'] },
  ),
  withDescription(
    refreshFarm,
    ({ accounts }, context) => `Update the rewards of ${context.name(accounts.farmState)}`,
  ),
  withDescription(
    refreshUserState,
    ({ accounts }, context) => `Update the rewards of ${stakeOf(accounts, context)}`,
    STAKE,
  ),
  withDescription(
    transferOwnership,
    ({ accounts }, context) =>
      `Transfer ${stakeOf({ ...accounts, userState: accounts.oldUserState }, context)} to ${context.name(accounts.newOwner)}`,
    {
      notes: ['oldUserState'],
      alerts: ({ accounts }, context) => [
        {
          kind: 'CHANGES_AUTHORITY',
          message: `A stake and its future rewards are transferred to ${context.name(accounts.newOwner)}.`,
        },
      ],
    },
  ),
  withDescription(
    closeEmptyUserState,
    ({ accounts }, context) =>
      `Close ${stakeOf(accounts, context)} and send its SOL to ${context.name(accounts.rentReceiver)}`,
    STAKE,
  ),
  withDescription(
    setStakeDelegated,
    ({ accounts, args }, context) =>
      `Set the amount of ${stakeOf(accounts, context)} to ${args.newAmount}`,
    STAKE,
  ),
  withDescription(addRewards, ({ accounts, args: { amount } }, context) => {
    const what = context.tokens(amount, accounts.rewardMint);
    return `Add ${what} to the rewards of ${context.name(accounts.farmState)}`;
  }),
];

export const oracleDescriptions: readonly DescribedCodec[] = [
  withDescription(
    refreshPriceList,
    ({ list, accounts }, context) =>
      `Update ${list.length} prices of ${context.name(accounts.oraclePrices)}`,
    { listName: 'tokens' },
  ),
];

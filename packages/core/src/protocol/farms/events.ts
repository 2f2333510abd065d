import type { Address } from '../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import {
  createEventReader,
  type EventSource,
  type InstructionEventReader,
  readsEvent,
} from '../spl/instruction-events.ts';
import { tokenMovements } from '../spl/token-movements.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import { harvestReward } from './instructions/harvest-reward.ts';
import { setStakeDelegated } from './instructions/set-stake-delegated.ts';
import { stake } from './instructions/stake.ts';
import { transferOwnership } from './instructions/transfer-ownership.ts';
import { unstake } from './instructions/unstake.ts';
import { withdrawUnstakedDeposits } from './instructions/withdraw-unstaked-deposits.ts';

export type FarmsEvent = EventSource<'farms'> & FarmsEventBody;

type FarmsEventBody = { readonly farm: Address } & (
  | {
      readonly kind: 'stake' | 'withdrawUnstaked';
      readonly owner: Address;
      readonly userState: Address;
      /** Executed, in the smallest unit of the farm's token. */
      readonly amount: Lamports;
    }
  | {
      readonly kind: 'unstake';
      readonly owner: Address;
      readonly userState: Address;
      /** Times 10^18, as asked: the program unstakes no more than the active stake. */
      readonly requestedSharesScaled: bigint;
    }
  | {
      readonly kind: 'harvest';
      /** Not always the owner of the state; the reward goes to the owner. */
      readonly payer: Address;
      readonly userState: Address;
      readonly rewardIndex: bigint;
      readonly rewardMint: Address;
      /** After the fee, which comes on top of it out of the same vault. */
      readonly netAmount: Lamports;
      readonly feeAmount: Lamports;
    }
  | {
      readonly kind: 'setStakeDelegated';
      readonly delegateAuthority: Address;
      readonly userState: Address;
      /** The whole stake from now on, not scaled: a delegated farm keeps it as it is. */
      readonly stakeAmount: bigint;
    }
  | {
      readonly kind: 'transferOwnership';
      readonly oldOwner: Address;
      readonly oldUserState: Address;
      readonly newOwner: Address;
      readonly newUserState: Address;
    }
);

const rows: readonly InstructionEventReader<FarmsEventBody>[] = [
  readsEvent(stake, ({ accounts }, call) => {
    const { owner, userState, farmState: farm, userAta, farmVault } = accounts;
    return { kind: 'stake', owner, userState, farm, amount: moved(call, userAta, farmVault) };
  }),
  readsEvent(withdrawUnstakedDeposits, ({ accounts }, call) => {
    const { owner, userState, farmState: farm, userAta, farmVault } = accounts;
    const amount = moved(call, farmVault, userAta);
    return { kind: 'withdrawUnstaked', owner, userState, farm, amount };
  }),
  readsEvent(unstake, ({ accounts, args }) => ({
    kind: 'unstake',
    owner: accounts.owner,
    userState: accounts.userState,
    farm: accounts.farmState,
    requestedSharesScaled: args.stakeSharesScaled,
  })),
  readsEvent(harvestReward, ({ accounts, args }, call) => ({
    kind: 'harvest',
    payer: accounts.payer,
    userState: accounts.userState,
    farm: accounts.farmState,
    rewardIndex: args.rewardIndex,
    rewardMint: accounts.rewardMint,
    netAmount: moved(call, accounts.rewardsVault, accounts.userRewardTokenAccount),
    feeAmount: moved(call, accounts.rewardsVault, accounts.rewardsTreasuryVault),
  })),
  readsEvent(setStakeDelegated, ({ accounts, args }) => ({
    kind: 'setStakeDelegated',
    delegateAuthority: accounts.delegateAuthority,
    userState: accounts.userState,
    farm: accounts.farmState,
    stakeAmount: args.newAmount,
  })),
  readsEvent(transferOwnership, ({ accounts }) => ({
    kind: 'transferOwnership',
    oldOwner: accounts.oldOwner,
    oldUserState: accounts.oldUserState,
    newOwner: accounts.newOwner,
    newUserState: accounts.newUserState,
    farm: accounts.farmState,
  })),
];

/** What one successful call of the farms program did; none for refreshes and the like. */
export const readFarmsEvents: (call: Call) => FarmsEvent[] = createEventReader('farms', rows);

/** The program leaves out transfers of nothing. */
function moved(call: Call, source: Address, destination: Address): Lamports {
  return toLamports(tokenMovements(call.children).transferred(source, destination) ?? 0n);
}

import type { Address } from '../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import {
  createEventReader,
  type EventSource,
  type InstructionEventReader,
  mapToEvent,
} from '../spl/instruction-events.ts';
import { tokenMovements } from '../spl/token-movements.ts';
import type { Call } from '../spl/transaction/call-tree.ts';
import { harvestReward } from './instructions/rewards.ts';
import {
  setStakeDelegated,
  stake,
  transferOwnership,
  unstake,
  withdrawUnstakedDeposits,
} from './instructions/staking.ts';
import { type FarmManagementEvent, readManagementEvent } from './management.ts';

export type FarmsEvent = UserEvent | FarmManagementEvent;

type UserEvent = EventSource<'farms'> & FarmsEventBody;

type FarmsEventBody = { readonly farm: Address } & (
  | {
      readonly kind: 'stake' | 'withdrawUnstaked';
      readonly owner: Address;
      readonly userState: Address;
      /** The executed amount, in base units of the farm's token. */
      readonly amount: Lamports;
    }
  | {
      readonly kind: 'unstake';
      readonly owner: Address;
      readonly userState: Address;
      /** The requested shares times 10^18. The program caps them at the active stake. */
      readonly requestedSharesScaled: bigint;
    }
  | {
      readonly kind: 'harvest';
      /** Not always the owner of the user state, who receives the reward. */
      readonly payer: Address;
      readonly userState: Address;
      readonly rewardIndex: bigint;
      readonly rewardMint: Address;
      /** Net of the fee, which leaves the same vault in addition. */
      readonly netAmount: Lamports;
      readonly feeAmount: Lamports;
    }
  | {
      readonly kind: 'setStakeDelegated';
      readonly delegateAuthority: Address;
      readonly userState: Address;
      /** The new total stake. Not scaled, because a delegated farm has plain amounts. */
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
  mapToEvent(stake, ({ accounts }, call) => {
    const { owner, userState, farmState: farm, userAta, farmVault } = accounts;
    return { kind: 'stake', owner, userState, farm, amount: moved(call, userAta, farmVault) };
  }),
  mapToEvent(withdrawUnstakedDeposits, ({ accounts }, call) => {
    const { owner, userState, farmState: farm, userAta, farmVault } = accounts;
    const amount = moved(call, farmVault, userAta);
    return { kind: 'withdrawUnstaked', owner, userState, farm, amount };
  }),
  mapToEvent(unstake, ({ accounts, args }) => ({
    kind: 'unstake',
    owner: accounts.owner,
    userState: accounts.userState,
    farm: accounts.farmState,
    requestedSharesScaled: args.stakeSharesScaled,
  })),
  mapToEvent(harvestReward, ({ accounts, args }, call) => ({
    kind: 'harvest',
    payer: accounts.payer,
    userState: accounts.userState,
    farm: accounts.farmState,
    rewardIndex: args.rewardIndex,
    rewardMint: accounts.rewardMint,
    netAmount: moved(call, accounts.rewardsVault, accounts.userRewardTokenAccount),
    feeAmount: moved(call, accounts.rewardsVault, accounts.rewardsTreasuryVault),
  })),
  mapToEvent(setStakeDelegated, ({ accounts, args }) => ({
    kind: 'setStakeDelegated',
    delegateAuthority: accounts.delegateAuthority,
    userState: accounts.userState,
    farm: accounts.farmState,
    stakeAmount: args.newAmount,
  })),
  mapToEvent(transferOwnership, ({ accounts }) => ({
    kind: 'transferOwnership',
    oldOwner: accounts.oldOwner,
    oldUserState: accounts.oldUserState,
    newOwner: accounts.newOwner,
    newUserState: accounts.newUserState,
    farm: accounts.farmState,
  })),
];

const readUserEvents: (call: Call) => UserEvent[] = createEventReader('farms', rows);

/** The events of one successful call of the farms program. Refreshes and similar calls have none. */
export const readFarmsEvents = (call: Call): FarmsEvent[] => [
  ...readUserEvents(call),
  ...[readManagementEvent(call) ?? []].flat(),
];

/** The program skips transfers of zero. */
function moved(call: Call, source: Address, destination: Address): Lamports {
  return toLamports(tokenMovements(call.children).transferred(source, destination) ?? 0n);
}

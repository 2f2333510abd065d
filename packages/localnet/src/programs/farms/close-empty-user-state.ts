import type { Address } from '@tidegate/core/base';
import { closeEmptyUserState } from '@tidegate/core/protocol/farms/instructions';
import type { UserState } from '@tidegate/core/protocol/farms/layout';
import { isDelegated } from '@tidegate/core/protocol/farms/math';
import type { FarmPosition } from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarmPosition } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';

/** The farm's user count stays: users are numbered by it. */
export const closeEmptyUserStateHandler: InstructionHandler = anchorHandler(
  closeEmptyUserState,
  8_000,
  ({ accounts, remaining }, call) => {
    const position = readFarmPosition(call, accounts);
    const { userState, rentReceiver, systemProgram } = accounts;
    requireConstraint(call, systemProgram === SYSTEM_PROGRAM, [
      'InvalidProgramId',
      'systemProgram',
    ]);
    rejectRemainingAccounts(remaining);
    checkEmpty(position.user);
    checkParties(position, accounts);
    const { lamports } = call.account(userState);
    const received = call.account(rentReceiver).lamports + lamports;
    call.updateAccount(userState, { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM });
    call.updateAccount(rentReceiver, { lamports: received });
  },
);

type Parties = { readonly signer: Address; readonly rentReceiver: Address };

function checkParties({ farm, user }: FarmPosition, { signer, rentReceiver }: Parties): void {
  if (isDelegated(farm)) {
    const isDelegate = [farm.delegateAuthority, farm.secondDelegatedAuthority].includes(signer);
    const reason = 'only the delegate authority of the farm may close it';
    requireFarmRule(isDelegate, 'CannotCloseUserStateDelegatedSignerNotDelegateAuthority', reason);
    const isAdmin = rentReceiver === farm.farmAdmin;
    const receiver = 'the rent goes to the admin of the farm';
    requireFarmRule(isAdmin, 'CannotCloseUserStateDelegatedRentReceiverNotAdmin', receiver);
    return;
  }
  const isOwner = signer === user.owner;
  requireFarmRule(isOwner, 'CannotCloseUserStateSignerNotOwner', 'only its owner may close it');
  const isReceiver = rentReceiver === user.owner;
  requireFarmRule(
    isReceiver,
    'CannotCloseUserStateRentReceiverNotOwner',
    'the rent goes to its owner',
  );
}

function checkEmpty(user: UserState): void {
  const { activeStakeScaled, pendingWithdrawalUnstakeScaled, pendingDepositStakeScaled } = user;
  requireFarmRule(activeStakeScaled === 0n, 'CannotCloseUserStateStakeNonZero', 'unstake it first');
  const isWithdrawn = pendingWithdrawalUnstakeScaled === 0n;
  requireFarmRule(
    isWithdrawn,
    'CannotCloseUserStatePendingUnstakes',
    'withdraw what is unstaked first',
  );
  const isActive = pendingDepositStakeScaled === 0n;
  requireFarmRule(isActive, 'CannotCloseUserStatePendingDeposits', 'a deposit warms up');
  const isHarvested = user.rewardsIssuedUnclaimed.every((reward) => reward === 0n);
  requireFarmRule(
    isHarvested,
    'CannotCloseUserStateUnharvestedRewards',
    'harvest the rewards first',
  );
}

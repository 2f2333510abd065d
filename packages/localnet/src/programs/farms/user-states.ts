import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
} from '@tidegate/core/base';
import { type FarmsRules, userStateAddress } from '@tidegate/core/protocol/farms';
import {
  closeEmptyUserState,
  initializeUser,
  setStakeDelegated,
  transferOwnership,
} from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, type UserState, userState } from '@tidegate/core/protocol/farms/layout';
import { farmTime, isDelegated } from '@tidegate/core/protocol/farms/math';
import {
  type FarmPosition,
  initializeUser as initialize,
  setStakeDelegated as setStake,
  transferOwnership as transfer,
} from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import {
  checkSystemAccounts,
  readFarm,
  readFarmContext,
  readFarmPosition,
  readUserState,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
  writeFarm,
  writeFarmPosition,
  writeUserState,
} from './farm-accounts.ts';
import { logIssuance, logOperation, logUserRewards } from './farm-logs.ts';

export const initializeUserHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(initializeUser, 35_500, ({ accounts, remaining }, call) => {
    const { farmState, owner, delegatee } = accounts;
    const before = readFarm(call, farmState);
    checkSystemAccounts(call, accounts);
    const bump = createUserState(call, { ...accounts, slot: 'userState' });
    rejectRemainingAccounts(remaining);
    const now = farmTime(before, call.time);
    call.log(`InitializeUser: user ${accounts.userState} farm ${farmState} ts ${now}`);
    checkAuthority(before, accounts);
    const newUser = { farmState, owner, delegatee, bump };
    const after = initialize(before, newUser, { at: call.time });
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });

type UserStateOptions = {
  readonly farmState: Address;
  readonly delegatee: Address;
  readonly userState: Address;
  readonly payer: Address;
  /** Name of the new account in the instruction. */
  readonly slot: string;
};

/** Creates the account and returns the bump of its address. */
function createUserState(call: InvokeContext, created: UserStateOptions): number {
  const { farmState, delegatee, payer, slot } = created;
  const seeds = [bytesFromText('user'), addressToBytes(farmState), addressToBytes(delegatee)];
  const { address, bump } = findProgramAddress(seeds, call.program);
  requireConstraint(call, created.userState === address, ['ConstraintSeeds', slot]);
  createPdaAccount(call, { address, payer, size: userState.size });
  return bump;
}

type NewParties = {
  readonly authority: Address;
  readonly payer: Address;
  readonly owner: Address;
  readonly delegatee: Address;
};

function checkAuthority(farm: FarmState, { authority, payer, owner, delegatee }: NewParties): void {
  if (isDelegated(farm)) {
    checkDelegate(farm, authority);
    return;
  }
  const isSameWallet = [authority, owner, delegatee].every((party) => party === payer);
  const reason = 'authority, payer, owner and delegatee must be the same wallet';
  requireFarmRule(isSameWallet, 'UserDelegatedFarmNonDelegatedMissmatch', reason);
}

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

type ClosingParties = { readonly signer: Address; readonly rentReceiver: Address };

function checkParties(
  { farm, user }: FarmPosition,
  { signer, rentReceiver }: ClosingParties,
): void {
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

type Accounts = ReturnType<typeof transferOwnership.decode>['accounts'];

export const transferOwnershipHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(transferOwnership, 180_000, ({ accounts, remaining }, call) => {
    const { oldUserState, newUserState, farmState } = accounts;
    const oldUser = readUserState(call, oldUserState);
    const before = readFarm(call, farmState);
    checkSystemAccounts(call, accounts);
    const recipient = readOrCreateNewUser(call, before, accounts);
    checkOldOwner(accounts, oldUser);
    rejectRemainingAccounts(remaining);
    if (newUserState === oldUserState) throw new ProgramFailure('AccountBorrowFailed');
    const context = readFarmContext(call, before, accounts.scopePrices);
    const states = `user_state ${oldUserState} owned by ${accounts.oldOwner} to `;
    const to = `user_state ${newUserState} owned by ${accounts.newOwner}`;
    call.log(`Transferring stake ownership of ${states}${to}`);
    const after = transfer({ farm: recipient.farm, oldUser, newUser: recipient.user }, context);
    const moved = `${after.amount} tokens from user_state ${oldUserState} to`;
    call.log(`Transferring stake of ${moved} user_state ${newUserState}`);
    writeFarm(call, farmState, after.farm);
    writeUserState(call, rules, { address: oldUserState, user: after.oldUser });
    writeUserState(call, rules, { address: newUserState, user: after.newUser });
  });

/** The new owner's state, created if it is missing. */
function readOrCreateNewUser(call: InvokeContext, farm: FarmState, accounts: Accounts) {
  const { newUserState, newOwner, farmState, payer } = accounts;
  if (call.account(newUserState).owner === SYSTEM_PROGRAM) {
    const created = { farmState, delegatee: newOwner, userState: newUserState, payer };
    const bump = createUserState(call, { ...created, slot: 'newUserState' });
    const newUser = { farmState, owner: newOwner, delegatee: newOwner, bump };
    return initialize(farm, newUser, { at: call.time });
  }
  const address = userStateAddress(farmState, newOwner, call.program);
  requireConstraint(call, newUserState === address, ['ConstraintSeeds', 'newUserState']);
  const user = readUserState(call, newUserState);
  const isOwn = user.delegatee === user.owner;
  const reason = 'the new state stands for somebody else than its owner';
  requireFarmRule(isOwn, 'InvalidTransferOwnershipUserStateOwnerDelegatee', reason);
  const another = 'the new state is of another owner';
  requireFarmRule(user.owner === newOwner, 'InvalidTransferOwnershipNewOwner', another);
  return { farm, user };
}

function checkOldOwner({ oldOwner, farmState }: Accounts, user: UserState): void {
  const isOwner = user.owner === oldOwner;
  requireFarmRule(isOwner, 'InvalidTransferOwnershipOldOwner', 'the stake is of another owner');
  const isSameFarm = user.farmState === farmState;
  requireFarmRule(isSameFarm, 'InvalidTransferOwnershipFarmState', 'the stake is in another farm');
}

/** The lending program sets the stake of an obligation. */
export const setStakeDelegatedHandler = (rules: FarmsRules): InstructionHandler =>
  anchorHandler(setStakeDelegated, 14_500, ({ accounts, args, remaining }, call) => {
    const before = readFarmPosition(call, accounts);
    rejectRemainingAccounts(remaining);
    requireFarmRule(
      isDelegated(before.farm),
      'FarmNotDelegated',
      'its stakes are set by staking tokens',
    );
    checkDelegate(before.farm, accounts.delegateAuthority);
    const context = { at: call.time };
    const change = `prev:${before.user.activeStakeScaled} -> new:${args.newAmount}`;
    call.log(`SetStakeDelegated: ${change} ts:${farmTime(before.farm, call.time)}`);
    const after = setStake(before, args.newAmount, context);
    if (after === before) {
      logOperation(call, 'set_stake nothing to do');
      return;
    }
    logIssuance(call, before.farm, { farm: after.farm, context });
    logUserRewards(call, before, after);
    writeFarmPosition(call, rules, { ...accounts, ...after });
  });

/** A farm has up to two authorities that may set stakes. */
function checkDelegate(farm: FarmState, authority: Address): void {
  const isDelegate =
    authority === farm.delegateAuthority || authority === farm.secondDelegatedAuthority;
  const reason = `${authority} is not the delegate authority of the farm`;
  requireFarmRule(isDelegate, 'AuthorityFarmDelegateMissmatch', reason);
}

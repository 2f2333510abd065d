import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { userStateAddress } from '@tidegate/core/protocol/farms';
import { transferOwnership } from '@tidegate/core/protocol/farms/instructions';
import type { FarmState, UserState } from '@tidegate/core/protocol/farms/layout';
import {
  initializeUser,
  transferOwnership as transfer,
} from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarm, readUserState, writeFarm, writeUserState } from './farm-accounts.ts';
import {
  checkSystemAccounts,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
} from './farm-constraints.ts';
import { readFarmContext } from './farm-oracle.ts';
import { createUserState } from './initialize-user.ts';

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
    return initializeUser(farm, newUser, { at: call.time });
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

import { transferOwnership } from '../../../protocol/farms/instructions/transfer-ownership.ts';
import type { FarmState } from '../../../protocol/farms/layout/farm-state.ts';
import type { UserState } from '../../../protocol/farms/layout/user-state.ts';
import { initializeUser } from '../../../protocol/farms/operations/initialize-user.ts';
import { transferOwnership as transfer } from '../../../protocol/farms/operations/transfer-ownership.ts';
import { userStateAddress } from '../../../protocol/farms/pda.ts';
import { SYSTEM_PROGRAM } from '../../../protocol/spl/programs.ts';
import { ProgramFailure } from '../../runtime/failures.ts';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { checkSystemAccounts, constrain, refuseMore, requires } from './constraints.ts';
import { readFarm, readUser, writeFarm, writeUser } from './farm-accounts.ts';
import type { FarmsRules } from './farms-rules.ts';
import { createUserState } from './initialize-user.ts';
import { momentOf } from './oracle.ts';

type Accounts = ReturnType<typeof transferOwnership.decode>['accounts'];

export const transferOwnershipHandler = (rules: FarmsRules): Handler =>
  handles(transferOwnership, 180_000, ({ accounts, remaining }, call) => {
    const { oldUserState, newUserState, farmState } = accounts;
    const oldUser = readUser(call, oldUserState);
    const before = readFarm(call, farmState);
    checkSystemAccounts(call, accounts);
    const joining = newUser(call, before, accounts);
    checkGiver(accounts, oldUser);
    refuseMore(remaining);
    if (newUserState === oldUserState) throw new ProgramFailure('AccountBorrowFailed');
    const moment = momentOf(call, before, accounts.scopePrices);
    const states = `user_state ${oldUserState} owned by ${accounts.oldOwner} to `;
    const to = `user_state ${newUserState} owned by ${accounts.newOwner}`;
    call.log(`Transferring stake ownership of ${states}${to}`);
    const after = transfer({ farm: joining.farm, oldUser, newUser: joining.user }, moment);
    const moved = `${after.amount} tokens from user_state ${oldUserState} to`;
    call.log(`Transferring stake of ${moved} user_state ${newUserState}`);
    writeFarm(call, farmState, after.farm);
    writeUser(call, rules, { address: oldUserState, user: after.oldUser });
    writeUser(call, rules, { address: newUserState, user: after.newUser });
  });

/** The state of the one who gets the stake, made if there is none. */
function newUser(call: Call, farm: FarmState, accounts: Accounts) {
  const { newUserState, newOwner, farmState, payer } = accounts;
  if (call.account(newUserState).owner === SYSTEM_PROGRAM) {
    const created = { farmState, delegatee: newOwner, userState: newUserState, payer };
    const bump = createUserState(call, { ...created, slot: 'newUserState' });
    const who = { farmState, owner: newOwner, delegatee: newOwner, bump };
    return initializeUser(farm, who, { at: call.time });
  }
  const address = userStateAddress(farmState, newOwner, call.program);
  constrain(call, newUserState === address, ['ConstraintSeeds', 'newUserState']);
  const user = readUser(call, newUserState);
  const isOwn = user.delegatee === user.owner;
  const reason = 'the new state stands for somebody else than its owner';
  requires(isOwn, 'InvalidTransferOwnershipUserStateOwnerDelegatee', reason);
  const another = 'the new state is of another owner';
  requires(user.owner === newOwner, 'InvalidTransferOwnershipNewOwner', another);
  return { farm, user };
}

function checkGiver({ oldOwner, farmState }: Accounts, user: UserState): void {
  const isOwner = user.owner === oldOwner;
  requires(isOwner, 'InvalidTransferOwnershipOldOwner', 'the stake is of another owner');
  const isHere = user.farmState === farmState;
  requires(isHere, 'InvalidTransferOwnershipFarmState', 'the stake is in another farm');
}

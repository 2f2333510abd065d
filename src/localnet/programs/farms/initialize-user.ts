import { type Address, addressToBytes } from '../../../base/address.ts';
import { bytesOfText } from '../../../base/bytes.ts';
import { findProgramAddress } from '../../../base/pda.ts';
import { initializeUser } from '../../../protocol/farms/instructions/initialize-user.ts';
import type { FarmState } from '../../../protocol/farms/layout/farm-state.ts';
import { userState } from '../../../protocol/farms/layout/user-state.ts';
import { farmNow } from '../../../protocol/farms/math/farm-moment.ts';
import { isDelegated } from '../../../protocol/farms/math/issuance.ts';
import { initializeUser as initialize } from '../../../protocol/farms/operations/initialize-user.ts';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../anchor-program.ts';
import { createDerivedAccount } from '../create-derived-account.ts';
import { checkSystemAccounts, constrain, refuseMore, requires } from './constraints.ts';
import { readFarm, writePosition } from './farm-accounts.ts';
import type { FarmsRules } from './farms-rules.ts';
import { checkDelegate } from './set-stake-delegated.ts';

export const initializeUserHandler = (rules: FarmsRules): Handler =>
  handles(initializeUser, 35_500, ({ accounts, remaining }, call) => {
    const { farmState, owner, delegatee } = accounts;
    const before = readFarm(call, farmState);
    checkSystemAccounts(call, accounts);
    const bump = createUserState(call, { ...accounts, slot: 'userState' });
    refuseMore(remaining);
    const now = farmNow(before, call.time);
    call.log(`InitializeUser: user ${accounts.userState} farm ${farmState} ts ${now}`);
    checkAuthority(before, accounts);
    const who = { farmState, owner, delegatee, bump };
    const after = initialize(before, who, { at: call.time });
    writePosition(call, rules, { ...accounts, ...after });
  });

type NewUserState = {
  readonly farmState: Address;
  readonly delegatee: Address;
  readonly userState: Address;
  readonly payer: Address;
  /** As the instruction calls the new account. */
  readonly slot: string;
};

/** Makes the account, and tells the bump of its address. */
export function createUserState(call: Call, created: NewUserState): number {
  const { farmState, delegatee, payer, slot } = created;
  const seeds = [bytesOfText('user'), addressToBytes(farmState), addressToBytes(delegatee)];
  const { address, bump } = findProgramAddress(seeds, call.program);
  constrain(call, created.userState === address, ['ConstraintSeeds', slot]);
  createDerivedAccount(call, { address, payer, size: userState.size });
  return bump;
}

type Parties = {
  readonly authority: Address;
  readonly payer: Address;
  readonly owner: Address;
  readonly delegatee: Address;
};

function checkAuthority(farm: FarmState, { authority, payer, owner, delegatee }: Parties): void {
  if (isDelegated(farm)) {
    checkDelegate(farm, authority);
    return;
  }
  const isOne = [authority, owner, delegatee].every((party) => party === payer);
  const reason = 'authority, payer, owner and delegatee must be the same wallet';
  requires(isOne, 'UserDelegatedFarmNonDelegatedMissmatch', reason);
}

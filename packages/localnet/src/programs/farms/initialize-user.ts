import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
} from '@tidegate/core/base';
import type { FarmsRules } from '@tidegate/core/protocol/farms';
import { initializeUser } from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, userState } from '@tidegate/core/protocol/farms/layout';
import { farmTime, isDelegated } from '@tidegate/core/protocol/farms/math';
import { initializeUser as initialize } from '@tidegate/core/protocol/farms/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import { readFarm, writeFarmPosition } from './farm-accounts.ts';
import {
  checkSystemAccounts,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
} from './farm-constraints.ts';
import { checkDelegate } from './set-stake-delegated.ts';

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
export function createUserState(call: InvokeContext, created: UserStateOptions): number {
  const { farmState, delegatee, payer, slot } = created;
  const seeds = [bytesFromText('user'), addressToBytes(farmState), addressToBytes(delegatee)];
  const { address, bump } = findProgramAddress(seeds, call.program);
  requireConstraint(call, created.userState === address, ['ConstraintSeeds', slot]);
  createPdaAccount(call, { address, payer, size: userState.size });
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
  const isSameWallet = [authority, owner, delegatee].every((party) => party === payer);
  const reason = 'authority, payer, owner and delegatee must be the same wallet';
  requireFarmRule(isSameWallet, 'UserDelegatedFarmNonDelegatedMissmatch', reason);
}

import { expect, test } from 'vitest';
import {
  DELEGATE_AUTHORITY,
  delegatedFarm,
  farmWith,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import { initializeUser } from './user-states.ts';

const newUser = {
  farmState: TOKEN_PROGRAM,
  owner: DELEGATE_AUTHORITY,
  delegatee: TOKEN_PROGRAM,
  bump: 254,
};
const context = { at: timeAtUnix(1_000n, 50n) };

test('a new user gets the next id, and all claim times start now', () => {
  const { farm, user } = initializeUser(delegatedFarm({ numUsers: 41n }), newUser, context);
  expect(farm.numUsers).toBe(42n);
  expect(user).toMatchObject({
    userId: 41n,
    farmState: TOKEN_PROGRAM,
    owner: DELEGATE_AUTHORITY,
    delegatee: TOKEN_PROGRAM,
    bump: 254n,
    isFarmDelegated: 1,
    activeStakeScaled: 0n,
    lastStakeTs: 0n,
  });
  expect(user.lastClaimTs).toEqual(Array.from({ length: 10 }, () => 1_000n));
});

test('in a slot-based farm the claim times start at the slot', () => {
  const { user } = initializeUser(delegatedFarm({ timeUnit: 1 }), newUser, context);
  expect(user.lastClaimTs[9]).toBe(50n);
});

test('a delegatee other than the owner throws in a normal farm', () => {
  const other = () => initializeUser(farmWith(), newUser, context);
  expect(other).toThrow('6032 (UserDelegatedFarmNonDelegatedMissmatch)');
  const self = initializeUser(farmWith(), { ...newUser, delegatee: DELEGATE_AUTHORITY }, context);
  expect(self.user.isFarmDelegated).toBe(0);
});

test('an overflow of the number of users throws', () => {
  const full = () => initializeUser(delegatedFarm({ numUsers: U64_MAX }), newUser, context);
  expect(full).toThrow('6012 (IntegerOverflow)');
});

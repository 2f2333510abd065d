import { expect, test } from 'vitest';
import {
  DELEGATE_AUTHORITY,
  delegatedFarm,
  farmWith,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import { initializeUser } from './initialize-user.ts';

const who = {
  farmState: TOKEN_PROGRAM,
  owner: DELEGATE_AUTHORITY,
  delegatee: TOKEN_PROGRAM,
  bump: 254,
};
const moment = { at: timeAtUnix(1_000n, 50n) };

test('the next user gets the next number, and every claim counts from now', () => {
  const { farm, user } = initializeUser(delegatedFarm({ numUsers: 41n }), who, moment);
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

test('in a farm of slots the claims count from the slot', () => {
  const { user } = initializeUser(delegatedFarm({ timeUnit: 1 }), who, moment);
  expect(user.lastClaimTs[9]).toBe(50n);
});

test('a normal farm has no users on behalf of others', () => {
  const other = () => initializeUser(farmWith(), who, moment);
  expect(other).toThrow('6032 (UserDelegatedFarmNonDelegatedMissmatch)');
  const self = initializeUser(farmWith(), { ...who, delegatee: DELEGATE_AUTHORITY }, moment);
  expect(self.user.isFarmDelegated).toBe(0);
});

test('the number of users does not wrap around', () => {
  const full = () => initializeUser(delegatedFarm({ numUsers: U64_MAX }), who, moment);
  expect(full).toThrow('6012 (IntegerOverflow)');
});

import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { WAD } from '#core/base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { farmVault, userStateAddress } from '#core/protocol/farms/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ADMIN, FARM, MadeFarm, stateOf, WALLETS } from '../../../support/farms/example-farm.ts';
import { atUnix } from '../../../support/farms/farm-accounts.ts';
import {
  addRewardsCall,
  closeCall,
  closeDelegatedCall,
  harvestCall,
  initializeCall,
  refreshFarmCall,
  refreshUserCall,
  setStakeCall,
  stakeCall,
  transferCall,
  unstakeCall,
  withdrawCall,
} from '../../../support/farms/farm-instructions.ts';
import {
  custom,
  DELEGATE,
  delegatedScene,
  ELSEWHERE,
  expectRefused,
  farmScene,
  NOW,
  type Refusal,
  START,
  titled,
  withMore,
} from '../../../support/farms/farm-scenarios.ts';

const [alice, bob, carol] = WALLETS;

const people: readonly Refusal[] = [
  ['a state that is there', 0, initializeCall(alice)],
  ['a state at another place', 2006, initializeCall(carol, { userState: farmVault(FARM, carol) })],
  ['a state for somebody else', 6032, initializeCall(carol, { payer: alice })],
  ['another system program', 3008, initializeCall(carol, { systemProgram: ELSEWHERE })],
  ['another rent', 3015, initializeCall(carol, { rent: ELSEWHERE })],
  [
    'to set a stake that is not delegated',
    6034,
    setStakeCall(carol, { wallet: alice, newAmount: 1n }),
  ],
  ['a handover by somebody else', 6055, transferCall(alice, carol, { oldOwner: bob })],
  [
    'a handover in another farm',
    6056,
    transferCall(alice, carol, {
      farmState: ELSEWHERE,
      newUserState: userStateAddress(ELSEWHERE, carol),
    }),
    (made) => made.putFarm(ELSEWHERE, {}),
  ],
  ['a handover of nothing', 6002, transferCall(bob, carol)],
  [
    'a handover in a farm with a cooldown',
    6059,
    transferCall(alice, bob),
    (made) => made.changeFarm({ withdrawalCooldownPeriod: 1 }),
  ],
  [
    'a handover to the state of a third',
    2006,
    transferCall(alice, carol, { newUserState: stateOf(bob) }),
  ],
  [
    'a handover to a state that stands for a third',
    6057,
    transferCall(alice, bob),
    (made) => made.changeUser(bob, { delegatee: carol }),
  ],
  [
    'a handover to a state of another owner',
    6061,
    transferCall(alice, bob),
    (made) => made.changeUser(bob, { owner: carol, delegatee: carol }),
  ],
  [
    'a handover by another system program',
    3008,
    transferCall(alice, bob, { systemProgram: ELSEWHERE }),
  ],
  ['to close a stake', 6068, closeCall(alice)],
  ['to close the state of another', 6072, closeCall(bob, { signer: alice })],
  ['to close by another system program', 3008, closeCall(bob, { systemProgram: ELSEWHERE })],
  ['to close to another', 6074, closeCall(bob, { rentReceiver: alice })],
  [
    'to close what waits to be withdrawn',
    6069,
    closeCall(alice),
    (made) => {
      expect(made.run(atUnix(NOW), unstakeCall(alice, U64_MAX * WAD))).toBeUndefined();
    },
  ],
  [
    'to close what warms up',
    6070,
    closeCall(bob),
    (made) => {
      made.changeFarm({ depositWarmupPeriod: 10 });
      expect(made.run(atUnix(NOW), stakeCall(bob, 5n))).toBeUndefined();
    },
  ],
  [
    'to close with rewards left',
    6071,
    closeCall(alice),
    (made) => {
      const leave = [unstakeCall(alice, U64_MAX * WAD), withdrawCall(alice)];
      expect(made.run(atUnix(NOW), ...leave)).toBeUndefined();
    },
  ],
];

test.each(titled(people))('refused: %s', (_, refusal) => {
  expectRefused(farmScene(), refusal);
});

const delegated: readonly Refusal[] = [
  ['to stake', 6035, stakeCall(alice, 1n)],
  ['to unstake', 6035, unstakeCall(alice, 1n)],
  ['to withdraw', 6035, withdrawCall(alice)],
  ['to hand over', 6035, transferCall(alice, bob)],
  ['to open a state oneself', 6033, initializeCall(bob)],
  ['to set a stake oneself', 6033, setStakeCall(alice, { wallet: alice, newAmount: 1n })],
  [
    'a stake over the cap',
    6045,
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 111n }),
    (made) => made.changeFarm({ depositCapAmount: toLamports(110n) }),
  ],
  [
    'a stake in a farm that counts by a price, for none is given',
    6046,
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 1n }),
    (made) => made.changeFarm({ scopeOraclePriceId: 3n }),
  ],
  ['to close oneself', 6073, closeDelegatedCall(alice, alice)],
  ['to close to the owner', 6075, closeCall(alice, { signer: DELEGATE })],
  ['to close a stake', 6068, closeDelegatedCall(alice, DELEGATE)],
];

test.each(titled(delegated))('refused in a delegated farm: %s', (_, refusal) => {
  expectRefused(delegatedScene(), refusal);
});

test('a handover to oneself would borrow one account twice', () => {
  const error = { InstructionError: [0, 'AccountBorrowFailed'] };
  expect(farmScene().run(atUnix(NOW), transferCall(alice, alice))).toEqual(error);
});

test('the second authority of a farm may set stakes, too', () => {
  const made = delegatedScene();
  made.changeFarm({ secondDelegatedAuthority: bob });
  const call = setStakeCall(bob, { wallet: alice, newAmount: 40n });
  expect(made.run(atUnix(NOW), call)).toBeUndefined();
  expect(made.farm.totalStakedAmount).toBe(40n);
});

test('an empty state is closed, and its rent goes to the owner or to the admin of the farm', () => {
  const made = farmScene();
  const wealth = (address: Address) => made.accounts.get(address)?.lamports ?? 0n;
  const before = wealth(bob);
  const rent = wealth(stateOf(bob));
  expect(made.run(atUnix(NOW), closeCall(bob))).toBeUndefined();
  expect(made.has(stateOf(bob))).toBe(false);
  expect(wealth(bob)).toBe(before + rent);
  expect(made.farm.numUsers).toBe(2n);

  const run = delegatedScene();
  const leave = setStakeCall(DELEGATE, { wallet: alice, newAmount: 0n });
  expect(run.run(atUnix(START), leave, closeDelegatedCall(alice, DELEGATE))).toBeUndefined();
  expect(run.accounts.get(ADMIN)?.lamports).toBe(rent);
});

test('somebody who sent lamports to a state to be cannot keep it from being made', () => {
  const made = new MadeFarm();
  const data = new Uint8Array();
  made.accounts.set(stateOf(alice), { owner: SYSTEM_PROGRAM, lamports: 1_000n, data });
  expect(made.run(atUnix(START), initializeCall(alice))).toBeUndefined();
  expect(made.accounts.get(stateOf(alice))?.lamports).toBe((920n + 128n) * 6960n);
});

test.each([
  initializeCall(carol),
  stakeCall(alice, 1n),
  unstakeCall(alice, 1n),
  withdrawCall(alice),
  harvestCall(alice, 0),
  addRewardsCall(alice, { index: 0, amount: 0n }),
  refreshFarmCall(),
  refreshUserCall(alice),
  transferCall(alice, bob),
  closeCall(bob),
  setStakeCall(DELEGATE, { wallet: alice, newAmount: 1n }),
])('no instruction takes an account too many (%#)', (call) => {
  expect(farmScene().run(atUnix(NOW), withMore(call))).toEqual(custom(6014));
});

test('the stake that it is already changes nothing', () => {
  const made = delegatedScene();
  const call = setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n });
  expect(made.logsOf(atUnix(NOW), call)).toContain(
    'Program log: farm_operations::set_stake nothing to do',
  );
  const before = made.farm;
  expect(made.run(atUnix(NOW), call)).toBeUndefined();
  expect(made.farm).toEqual(before);
});

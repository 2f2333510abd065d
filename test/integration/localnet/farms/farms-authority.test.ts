import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { WAD } from '#core/base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { farmVault, userStateAddress } from '#core/protocol/farms/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  ADMIN,
  ExampleFarm,
  FARM,
  userStateOf,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
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
  transferOwnershipCall,
  unstakeCall,
  withdrawCall,
} from '../../../support/farms/farm-instructions.ts';
import {
  customInstructionError,
  DELEGATE,
  delegatedStakeFarm,
  expectFarmRejection,
  NOW,
  OTHER_ADDRESS,
  type RejectionCase,
  START,
  stakedFarm,
  titleCases,
  withExtraAccount,
} from '../../../support/farms/farm-scenarios.ts';

const [alice, bob, carol] = WALLETS;

const people: readonly RejectionCase[] = [
  ['a state that is there', 0, initializeCall(alice)],
  ['a state at another place', 2006, initializeCall(carol, { userState: farmVault(FARM, carol) })],
  ['a state for somebody else', 6032, initializeCall(carol, { payer: alice })],
  ['another system program', 3008, initializeCall(carol, { systemProgram: OTHER_ADDRESS })],
  ['another rent', 3015, initializeCall(carol, { rent: OTHER_ADDRESS })],
  [
    'to set a stake that is not delegated',
    6034,
    setStakeCall(carol, { wallet: alice, newAmount: 1n }),
  ],
  ['a handover by somebody else', 6055, transferOwnershipCall(alice, carol, { oldOwner: bob })],
  [
    'a handover in another farm',
    6056,
    transferOwnershipCall(alice, carol, {
      farmState: OTHER_ADDRESS,
      newUserState: userStateAddress(OTHER_ADDRESS, carol),
    }),
    (made) => made.setFarm(OTHER_ADDRESS, {}),
  ],
  ['a handover of nothing', 6002, transferOwnershipCall(bob, carol)],
  [
    'a handover in a farm with a cooldown',
    6059,
    transferOwnershipCall(alice, bob),
    (made) => made.changeFarm({ withdrawalCooldownPeriod: 1 }),
  ],
  [
    'a handover to the state of a third',
    2006,
    transferOwnershipCall(alice, carol, { newUserState: userStateOf(bob) }),
  ],
  [
    'a handover to a state that stands for a third',
    6057,
    transferOwnershipCall(alice, bob),
    (made) => made.changeUser(bob, { delegatee: carol }),
  ],
  [
    'a handover to a state of another owner',
    6061,
    transferOwnershipCall(alice, bob),
    (made) => made.changeUser(bob, { owner: carol, delegatee: carol }),
  ],
  [
    'a handover by another system program',
    3008,
    transferOwnershipCall(alice, bob, { systemProgram: OTHER_ADDRESS }),
  ],
  ['to close a stake', 6068, closeCall(alice)],
  ['to close the state of another', 6072, closeCall(bob, { signer: alice })],
  ['to close by another system program', 3008, closeCall(bob, { systemProgram: OTHER_ADDRESS })],
  ['to close to another', 6074, closeCall(bob, { rentReceiver: alice })],
  [
    'to close what waits to be withdrawn',
    6069,
    closeCall(alice),
    (made) => {
      expect(made.run(timeAtUnix(NOW), unstakeCall(alice, U64_MAX * WAD))).toBeUndefined();
    },
  ],
  [
    'to close what warms up',
    6070,
    closeCall(bob),
    (made) => {
      made.changeFarm({ depositWarmupPeriod: 10 });
      expect(made.run(timeAtUnix(NOW), stakeCall(bob, 5n))).toBeUndefined();
    },
  ],
  [
    'to close with rewards left',
    6071,
    closeCall(alice),
    (made) => {
      const leave = [unstakeCall(alice, U64_MAX * WAD), withdrawCall(alice)];
      expect(made.run(timeAtUnix(NOW), ...leave)).toBeUndefined();
    },
  ],
];

test.each(titleCases(people))('refused: %s', (_, refusal) => {
  expectFarmRejection(stakedFarm(), refusal);
});

const delegated: readonly RejectionCase[] = [
  ['to stake', 6035, stakeCall(alice, 1n)],
  ['to unstake', 6035, unstakeCall(alice, 1n)],
  ['to withdraw', 6035, withdrawCall(alice)],
  ['to hand over', 6035, transferOwnershipCall(alice, bob)],
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

test.each(titleCases(delegated))('refused in a delegated farm: %s', (_, refusal) => {
  expectFarmRejection(delegatedStakeFarm(), refusal);
});

test('a handover to oneself would borrow one account twice', () => {
  const error = { InstructionError: [0, 'AccountBorrowFailed'] };
  expect(stakedFarm().run(timeAtUnix(NOW), transferOwnershipCall(alice, alice))).toEqual(error);
});

test('the second authority of a farm may set stakes, too', () => {
  const made = delegatedStakeFarm();
  made.changeFarm({ secondDelegatedAuthority: bob });
  const call = setStakeCall(bob, { wallet: alice, newAmount: 40n });
  expect(made.run(timeAtUnix(NOW), call)).toBeUndefined();
  expect(made.farm.totalStakedAmount).toBe(40n);
});

test('an empty state is closed, and its rent goes to the owner or to the admin of the farm', () => {
  const made = stakedFarm();
  const wealth = (address: Address) => made.accounts.get(address)?.lamports ?? 0n;
  const before = wealth(bob);
  const rent = wealth(userStateOf(bob));
  expect(made.run(timeAtUnix(NOW), closeCall(bob))).toBeUndefined();
  expect(made.hasAccount(userStateOf(bob))).toBe(false);
  expect(wealth(bob)).toBe(before + rent);
  expect(made.farm.numUsers).toBe(2n);

  const run = delegatedStakeFarm();
  const leave = setStakeCall(DELEGATE, { wallet: alice, newAmount: 0n });
  expect(run.run(timeAtUnix(START), leave, closeDelegatedCall(alice, DELEGATE))).toBeUndefined();
  expect(run.accounts.get(ADMIN)?.lamports).toBe(rent);
});

test('somebody who sent lamports to a state to be cannot keep it from being made', () => {
  const made = new ExampleFarm();
  const data = new Uint8Array();
  made.accounts.set(userStateOf(alice), { owner: SYSTEM_PROGRAM, lamports: 1_000n, data });
  expect(made.run(timeAtUnix(START), initializeCall(alice))).toBeUndefined();
  expect(made.accounts.get(userStateOf(alice))?.lamports).toBe((920n + 128n) * 6960n);
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
  transferOwnershipCall(alice, bob),
  closeCall(bob),
  setStakeCall(DELEGATE, { wallet: alice, newAmount: 1n }),
])('no instruction takes an account too many (%#)', (call) => {
  expect(stakedFarm().run(timeAtUnix(NOW), withExtraAccount(call))).toEqual(
    customInstructionError(6014),
  );
});

test('the stake that it is already changes nothing', () => {
  const made = delegatedStakeFarm();
  const call = setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n });
  expect(made.logsOf(timeAtUnix(NOW), call)).toContain(
    'Program log: farm_operations::set_stake nothing to do',
  );
  const before = made.farm;
  expect(made.run(timeAtUnix(NOW), call)).toBeUndefined();
  expect(made.farm).toEqual(before);
});

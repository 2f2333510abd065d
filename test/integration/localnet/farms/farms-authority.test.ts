import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { farmVault, userStateAddress } from '#core/protocol/farms/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ExampleFarm, FARM, userStateOf, WALLETS } from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import {
  addRewardsCall,
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
import { instructionError } from '../../../support/localnet/instruction-error.ts';

const [alice, bob, carol] = WALLETS;

const wallets: readonly RejectionCase[] = [
  ['an existing state', 0, initializeCall(alice)],
  [
    'a state at another address',
    2006,
    initializeCall(carol, { userState: farmVault(FARM, carol) }),
  ],
  ['a state for another delegatee', 6032, initializeCall(carol, { payer: alice })],
  ['another system program', 3008, initializeCall(carol, { systemProgram: OTHER_ADDRESS })],
  ['another rent sysvar', 3015, initializeCall(carol, { rent: OTHER_ADDRESS })],
  [
    'setting a stake that is not delegated',
    6034,
    setStakeCall(carol, { wallet: alice, newAmount: 1n }),
  ],
  ['a transfer by another wallet', 6055, transferOwnershipCall(alice, carol, { oldOwner: bob })],
  [
    'a transfer in another farm',
    6056,
    transferOwnershipCall(alice, carol, {
      farmState: OTHER_ADDRESS,
      newUserState: userStateAddress(OTHER_ADDRESS, carol),
    }),
    (farm) => farm.setFarm(OTHER_ADDRESS, {}),
  ],
  ['a transfer of an empty stake', 6002, transferOwnershipCall(bob, carol)],
  [
    'a transfer in a farm with a cooldown',
    6059,
    transferOwnershipCall(alice, bob),
    (farm) => farm.changeFarm({ withdrawalCooldownPeriod: 1 }),
  ],
  [
    'a transfer to the state of a third wallet',
    2006,
    transferOwnershipCall(alice, carol, { newUserState: userStateOf(bob) }),
  ],
  [
    'a transfer to a state with another delegatee',
    6057,
    transferOwnershipCall(alice, bob),
    (farm) => farm.changeUser(bob, { delegatee: carol }),
  ],
  [
    'a transfer to a state of another owner',
    6061,
    transferOwnershipCall(alice, bob),
    (farm) => farm.changeUser(bob, { owner: carol, delegatee: carol }),
  ],
  [
    'a transfer with another system program',
    3008,
    transferOwnershipCall(alice, bob, { systemProgram: OTHER_ADDRESS }),
  ],
];

test.each(titleCases(wallets))('rejects %s', (_, rejection) => {
  expectFarmRejection(stakedFarm(), rejection);
});

const delegated: readonly RejectionCase[] = [
  ['stake', 6035, stakeCall(alice, 1n)],
  ['unstake', 6035, unstakeCall(alice, 1n)],
  ['withdraw', 6035, withdrawCall(alice)],
  ['transferOwnership', 6035, transferOwnershipCall(alice, bob)],
  ['initializeUser by the user', 6033, initializeCall(bob)],
  ['setStakeDelegated by the user', 6033, setStakeCall(alice, { wallet: alice, newAmount: 1n })],
  [
    'a stake over the cap',
    6045,
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 111n }),
    (farm) => farm.changeFarm({ depositCapAmount: toLamports(110n) }),
  ],
  [
    'a stake without the price that the farm requires',
    6046,
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 1n }),
    (farm) => farm.changeFarm({ scopeOraclePriceId: 3n }),
  ],
];

test.each(titleCases(delegated))('a delegated farm rejects %s', (_, rejection) => {
  expectFarmRejection(delegatedStakeFarm(), rejection);
});

test('a transfer to oneself fails, because it borrows one account twice', () => {
  const error = { InstructionError: [0, 'AccountBorrowFailed'] };
  expect(stakedFarm().run(timeAtUnix(NOW), transferOwnershipCall(alice, alice))).toEqual(error);
});

test('the second authority of a farm can set stakes', () => {
  const farm = delegatedStakeFarm();
  farm.changeFarm({ secondDelegatedAuthority: bob });
  const call = setStakeCall(bob, { wallet: alice, newAmount: 40n });
  expect(farm.run(timeAtUnix(NOW), call)).toBeUndefined();
  expect(farm.farm.totalStakedAmount).toBe(40n);
});

test('lamports at the address do not prevent the creation of a state', () => {
  const farm = new ExampleFarm();
  const data = new Uint8Array();
  farm.accounts.set(userStateOf(alice), { owner: SYSTEM_PROGRAM, lamports: 1_000n, data });
  expect(farm.run(timeAtUnix(START), initializeCall(alice))).toBeUndefined();
  expect(farm.accounts.get(userStateOf(alice))?.lamports).toBe((920n + 128n) * 6960n);
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
  setStakeCall(DELEGATE, { wallet: alice, newAmount: 1n }),
])('every instruction rejects extra accounts (%#)', (call) => {
  expect(stakedFarm().run(timeAtUnix(NOW), withExtraAccount(call))).toEqual(instructionError(6014));
});

test('setting the current stake changes nothing', () => {
  const farm = delegatedStakeFarm();
  const call = setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n });
  expect(farm.logsOf(timeAtUnix(NOW), call)).toContain(
    'Program log: farm_operations::set_stake nothing to do',
  );
  const before = farm.farm;
  expect(farm.run(timeAtUnix(NOW), call)).toBeUndefined();
  expect(farm.farm).toEqual(before);
});

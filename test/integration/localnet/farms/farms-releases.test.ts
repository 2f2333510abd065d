import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { WAD } from '#core/base/numbers/decimal-wad.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { findRelease, newestRelease, releaseAt } from '#core/base/solana/program-release.ts';
import { toSlot } from '#core/base/time.ts';
import { rewardUserOnce } from '#core/protocol/farms/instructions/rewards.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { farmsReleases, NEWEST_FARMS_RULES } from '#core/protocol/farms/releases.ts';
import { createFarmsProgram } from '#localnet/programs/farms/farms-program.ts';
import {
  ADMIN,
  ataOf,
  type ExampleFarm,
  FARM,
  REWARD_MINTS,
  userStateOf,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import {
  closeCall,
  closeDelegatedCall,
  harvestCall,
  setStakeCall,
  stakeCall,
  unstakeCall,
  withdrawCall,
} from '../../../support/farms/farm-instructions.ts';
import {
  addOtherTokenAccount,
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

const [alice, bob] = WALLETS;

/** The farm, run by release 1.7.0. */
function withRelease1_7(farm: ExampleFarm): ExampleFarm {
  const release = findRelease(farmsReleases, '1.7.0');
  if (release?.version !== '1.7.0') throw new Error('no such release');
  farm.program = createFarmsProgram(release.rules);
  return farm;
}

const run = (farm: ExampleFarm, ...calls: readonly Instruction[]) =>
  farm.run(timeAtUnix(NOW), ...calls);

test('release 1.7.0 is known, but not deployed', () => {
  expect(newestRelease(farmsReleases)).toMatchObject({
    version: '1.6.5',
    deploySlot: 379_693_642n,
    rules: NEWEST_FARMS_RULES,
  });
  expect(releaseAt(farmsReleases, toSlot(10n ** 12n)).version).toBe('1.6.5');
  expect(releaseAt(farmsReleases, toSlot(379_693_641n)).version).toBe('1.4');
});

test('the deployed release cannot close a user state', () => {
  expect(run(stakedFarm(), closeCall(bob))).toEqual(instructionError(101));
});

const unstakesAll = (farm: ExampleFarm): void => {
  expect(run(farm, unstakeCall(alice, U64_MAX * WAD))).toBeUndefined();
};

const closing: readonly RejectionCase[] = [
  ['a state with stake', 6068, closeCall(alice)],
  ['a state with stake by another wallet', 6068, closeCall(alice, { signer: bob })],
  ["another wallet's state", 6072, closeCall(bob, { signer: alice })],
  ['with another system program', 3008, closeCall(bob, { systemProgram: OTHER_ADDRESS })],
  ['with another rent receiver', 6074, closeCall(bob, { rentReceiver: alice })],
  ['with a pending withdrawal', 6069, closeCall(alice), unstakesAll],
  [
    'with a pending deposit',
    6070,
    closeCall(bob),
    (farm) => {
      farm.changeFarm({ depositWarmupPeriod: 10 });
      expect(run(farm, stakeCall(bob, 5n))).toBeUndefined();
    },
  ],
  [
    'with unclaimed rewards',
    6071,
    closeCall(alice),
    (farm) => {
      unstakesAll(farm);
      expect(run(farm, withdrawCall(alice))).toBeUndefined();
    },
  ],
  ['with an extra account', 6014, withExtraAccount(closeCall(bob))],
];

test.each(titleCases(closing))('1.7.0 rejects closing %s', (_, rejection) => {
  expectFarmRejection(withRelease1_7(stakedFarm()), rejection);
});

const leave = setStakeCall(DELEGATE, { wallet: alice, newAmount: 0n });

/** Without rewards, as they would have to be harvested first. */
const leavesAtOnce = (farm: ExampleFarm): void => {
  expect(farm.run(timeAtUnix(START), leave)).toBeUndefined();
};

const closingDelegated: readonly RejectionCase[] = [
  ['a state with stake', 6068, closeDelegatedCall(alice, DELEGATE)],
  ['by the user', 6073, closeDelegatedCall(alice, alice), leavesAtOnce],
  ['with the owner as rent receiver', 6075, closeCall(alice, { signer: DELEGATE }), leavesAtOnce],
];

test.each(titleCases(closingDelegated))('1.7.0 rejects closing %s, delegated', (_, rejection) => {
  expectFarmRejection(withRelease1_7(delegatedStakeFarm()), rejection);
});

test('closing an empty state pays the rent to the owner, or to the farm admin if delegated', () => {
  const farm = withRelease1_7(stakedFarm());
  const lamportsOf = (address: Address) => farm.accounts.get(address)?.lamports ?? 0n;
  const before = lamportsOf(bob);
  const rent = lamportsOf(userStateOf(bob));
  expect(run(farm, closeCall(bob))).toBeUndefined();
  expect(farm.hasAccount(userStateOf(bob))).toBe(false);
  expect(lamportsOf(bob)).toBe(before + rent);
  expect(farm.farm.numUsers).toBe(2n);

  const delegated = withRelease1_7(delegatedStakeFarm());
  const close = closeDelegatedCall(alice, DELEGATE);
  expect(delegated.run(timeAtUnix(START), leave, close)).toBeUndefined();
  expect(delegated.accounts.get(ADMIN)?.lamports).toBe(rent);
});

test('a harvest by somebody else pays any account of the owner, since 1.7.0 the associated one', () => {
  const call = harvestCall(bob, 0, {
    userState: userStateOf(alice),
    userRewardTokenAccount: OTHER_ADDRESS,
  });
  const harvestable = (farm: ExampleFarm): ExampleFarm => {
    farm.changeFarm({ isHarvestingPermissionless: 1 });
    addOtherTokenAccount(alice, REWARD_MINTS[0])(farm);
    return farm;
  };
  const deployed = harvestable(stakedFarm());
  expect(run(deployed, call)).toBeUndefined();
  // the 1,000 of before, and a hundred seconds at ten per second less 10 %
  expect(deployed.balance(OTHER_ADDRESS)).toBe(1_900n);
  const later = harvestable(withRelease1_7(stakedFarm()));
  expect(run(later, call)).toEqual(instructionError(6076));
  const toAssociated = harvestCall(bob, 0, {
    userState: userStateOf(alice),
    userRewardTokenAccount: ataOf(alice, REWARD_MINTS[0]),
  });
  expect(run(later, toAssociated)).toBeUndefined();
});

test('a one-time reward has four arguments since 1.7.0, and the fourth is the id of the user', () => {
  const once = (expectedRewards: bigint, list: readonly bigint[]) =>
    rewardUserOnce.build(FARMS_PROGRAM, {
      accounts: { delegateAuthority: DELEGATE, farmState: FARM, userState: userStateOf(alice) },
      args: { rewardIndex: 0n, amount: 500n, expectedRewards },
      list,
    });
  const rewarding = (farm: ExampleFarm): ExampleFarm => {
    farm.changeFarm({ isRewardUserOnceEnabled: 1 });
    return farm;
  };
  const later = rewarding(withRelease1_7(delegatedStakeFarm()));
  const { userId } = later.user(alice);
  expect(run(later, once(0n, []))).toEqual(instructionError(102));
  expect(run(later, once(0n, [userId + 1n]))).toEqual(instructionError(6078));
  expect(run(later, once(0n, [userId]))).toBeUndefined();
  expect(run(later, once(0n, [userId]))).toEqual(instructionError(6067));
  expect(run(later, once(500n, [userId]))).toBeUndefined();
  const deployed = rewarding(delegatedStakeFarm());
  expect(run(deployed, once(0n, [userId + 1n]))).toBeUndefined();
  expect(run(deployed, once(0n, []))).toEqual(instructionError(6067));
});

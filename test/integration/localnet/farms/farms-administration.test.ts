import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  depositToFarmVault,
  updateFarmAdmin,
  updateFarmConfig,
  updateSecondDelegatedAuthority,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from '#core/protocol/farms/instructions/farm-setup.ts';
import {
  rewardUserOnce,
  withdrawReward,
  withdrawTreasury,
} from '#core/protocol/farms/instructions/rewards.ts';
import { treasuryVaultsAuthority } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { administered } from '../../../support/farms/administered-farm.ts';
import {
  ataOf,
  CONFIG,
  type ExampleFarm,
  FARM,
  FARM_VAULT,
  REWARD_MINTS,
  REWARD_VAULTS,
  STAKED_MINT,
  TREASURY_VAULTS,
  userStateOf,
  VAULTS_AUTHORITY,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import { harvestCall, stakeCall } from '../../../support/farms/farm-instructions.ts';
import {
  DELEGATE,
  delegatedStakeFarm,
  NOW,
  stakedFarm,
} from '../../../support/farms/farm-scenarios.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { u64Bytes } from '../../../support/protocol/published-calls.ts';

const [alice, bob, carol] = WALLETS;

const run = (farm: ExampleFarm, call: Instruction) => farm.run(timeAtUnix(NOW), call);

const config = (mode: number, data: readonly Uint8Array[], signer: Address = bob): Instruction =>
  updateFarmConfig.build(FARMS_PROGRAM, {
    accounts: { signer, farmState: FARM, scopePrices: undefined },
    args: { mode },
    list: data.flatMap((part) => [...part]),
  });

test('a rate is changed by the admin or the admin of the rates', () => {
  const farm = administered(stakedFarm());
  farm.changeFarm({ delegatedRpsAdmin: carol });
  const rate = (signer: Address) => config(0, [u64Bytes(0n), u64Bytes(3n)], signer);
  expect(run(farm, rate(alice))).toEqual(instructionError(6054));
  expect(run(farm, rate(carol))).toBeUndefined();
  expect(farm.farm.rewardInfos[0]).toMatchObject({
    lastIssuanceTs: NOW,
    rewardScheduleCurve: { points: { 0: { tsStart: 0n, rewardPerTimeUnit: 3n } } },
  });
  expect(run(farm, config(11, [u64Bytes(5n)], carol))).toEqual(instructionError(2502));
  expect(run(farm, config(11, [u64Bytes(5n)]))).toBeUndefined();
  expect(farm.farm.depositCapAmount).toBe(5n);
});

test.each([
  ['a reward that does not exist', 0, [u64Bytes(2n), u64Bytes(3n)], 6030],
  ['a penalty above 100 %', 10, [u64Bytes(10_001n)], 6039],
  ['one-time rewards of a farm that is not delegated', 22, [Uint8Array.of(1)], 6034],
  ['an unknown locking mode', 7, [u64Bytes(3n)], 'ProgramFailedToComplete'],
  ['an unknown setting', 25, [u64Bytes(3n)], 'ProgramFailedToComplete'],
  ['a value of another size', 11, [Uint8Array.of(3)], 'BorshIoError'],
  ['a flag without a byte', 24, [], 'ProgramFailedToComplete'],
] as const)('%s is rejected', (...[, mode, data, error]) => {
  expect(run(administered(stakedFarm()), config(mode, data))).toEqual(instructionError(error));
});

test('a new admin must accept, and only the global admin names a second delegate', () => {
  const farm = administered(stakedFarm());
  const accept = updateFarmAdmin.build(FARMS_PROGRAM, {
    accounts: { pendingFarmAdmin: carol, farmState: FARM },
    args: {},
  });
  expect(run(farm, accept)).toEqual(instructionError(2001));
  farm.changeFarm({ pendingFarmAdmin: carol });
  expect(run(farm, accept)).toBeUndefined();
  expect(farm.farm.farmAdmin).toBe(carol);
  const second = (globalAdmin: Address) =>
    updateSecondDelegatedAuthority.build(FARMS_PROGRAM, {
      accounts: {
        globalAdmin,
        farmState: FARM,
        globalConfig: CONFIG,
        newSecondDelegatedAuthority: alice,
      },
      args: {},
    });
  expect(run(farm, second(carol))).toEqual(instructionError(2001));
  expect(run(farm, second(bob))).toBeUndefined();
  expect(farm.farm.secondDelegatedAuthority).toBe(alice);
});

test('a one-time reward can be harvested like the others', () => {
  const farm = administered(delegatedStakeFarm());
  const once = (delegateAuthority: Address, expectedRewards: bigint) =>
    rewardUserOnce.build(FARMS_PROGRAM, {
      accounts: { delegateAuthority, farmState: FARM, userState: userStateOf(alice) },
      args: { rewardIndex: 0n, amount: 500n, expectedRewards },
      list: [],
    });
  expect(run(farm, once(DELEGATE, 0n))).toEqual(instructionError(6063));
  expect(run(farm, config(22, [Uint8Array.of(1)]))).toBeUndefined();
  expect(run(farm, once(bob, 0n))).toEqual(instructionError(2001));
  expect(run(farm, once(DELEGATE, 9n))).toEqual(instructionError(6067));
  expect(run(farm, once(DELEGATE, 0n))).toBeUndefined();
  expect(farm.user(alice).rewardsIssuedUnclaimed[0]).toBe(500n);
  // 100 seconds at 10 per second, plus 500, less the fee of 10 %.
  expect(run(farm, harvestCall(alice, 0))).toBeUndefined();
  expect(farm.balance(ataOf(alice, REWARD_MINTS[0]))).toBe(1_350n);
});

const [mint] = REWARD_MINTS;
const [vault] = REWARD_VAULTS;
const [treasury] = TREASURY_VAULTS;

test('rewards without a rate can be withdrawn, and fees of the treasury', () => {
  const farm = administered(stakedFarm());
  const withdraw = (amount: bigint) =>
    withdrawReward.build(FARMS_PROGRAM, {
      accounts: {
        farmAdmin: bob,
        farmState: FARM,
        rewardMint: mint,
        rewardVault: vault ?? FARM,
        farmVaultsAuthority: VAULTS_AUTHORITY,
        adminRewardTokenAta: ataOf(bob, mint),
        scopePrices: undefined,
        tokenProgram: TOKEN_PROGRAM,
      },
      args: { amount, rewardIndex: 0n },
    });
  expect(run(farm, withdraw(10n))).toEqual(instructionError(6052));
  run(farm, config(0, [u64Bytes(0n), u64Bytes(0n)]));
  expect(run(farm, withdraw(U64_MAX))).toBeUndefined();
  // A million less the 1,000 that were issued before the rate became zero.
  expect(farm.balance(ataOf(bob, mint))).toBe(999_000n);
  expect(run(farm, harvestCall(alice, 0))).toBeUndefined();
  const collect = (globalAdmin: Address, amount: bigint) =>
    withdrawTreasury.build(FARMS_PROGRAM, {
      accounts: {
        globalAdmin,
        globalConfig: CONFIG,
        rewardMint: mint,
        rewardTreasuryVault: treasury ?? FARM,
        treasuryVaultAuthority: treasuryVaultsAuthority(CONFIG),
        withdrawDestinationTokenAccount: ataOf(bob, mint),
        tokenProgram: TOKEN_PROGRAM,
      },
      args: { amount },
    });
  expect(run(farm, collect(alice, 100n))).toEqual(instructionError(2001));
  expect(run(farm, collect(bob, 0n))).toEqual(instructionError(6031));
  expect(run(farm, collect(bob, 100n))).toBeUndefined();
  expect(farm.balance(ataOf(bob, mint))).toBe(999_100n);
});

test('tokens of the farm vault move by its authorities only', () => {
  const farm = administered(stakedFarm());
  const deposit = (depositor: Address) =>
    depositToFarmVault.build(FARMS_PROGRAM, {
      accounts: {
        depositor,
        farmState: FARM,
        farmVault: FARM_VAULT,
        depositorAta: ataOf(depositor, STAKED_MINT),
        tokenProgram: TOKEN_PROGRAM,
      },
      args: { amount: 50n },
    });
  expect(run(farm, deposit(carol))).toEqual(instructionError(2012));
  expect(run(farm, deposit(bob))).toBeUndefined();
  expect([farm.farm.totalStakedAmount, farm.balance(FARM_VAULT)]).toEqual([150n, 150n]);
  const vaultAccounts = {
    farmState: FARM,
    farmVault: FARM_VAULT,
    farmVaultsAuthority: VAULTS_AUTHORITY,
    tokenProgram: TOKEN_PROGRAM,
  };
  const withdrawerTokenAccount = ataOf(carol, STAKED_MINT);
  const take = (amount: bigint) =>
    withdrawFromFarmVault.build(FARMS_PROGRAM, {
      accounts: { ...vaultAccounts, withdrawAuthority: carol, withdrawerTokenAccount },
      args: { amount },
    });
  expect(run(farm, take(30n))).toEqual(instructionError(2001));
  run(farm, config(2, [new Uint8Array(32).fill(13)]));
  expect(run(farm, take(30n))).toBeUndefined();
  expect(farm.balance(withdrawerTokenAccount)).toBe(1_000_030n);
  farm.changeFarm({
    slashedAmountCurrent: farm.farm.totalStakedAmount,
    slashedAmountSpillAddress: withdrawerTokenAccount,
  });
  const spill = withdrawSlashedAmount.build(FARMS_PROGRAM, {
    accounts: { ...vaultAccounts, crank: alice, slashedAmountSpillAddress: withdrawerTokenAccount },
    args: {},
  });
  expect(run(farm, spill)).toBeUndefined();
  expect(farm.balance(withdrawerTokenAccount)).toBe(1_000_150n);
  expect(run(farm, take(1_000n))).toEqual(instructionError(1));
  expect(run(farm, stakeCall(alice, 1n))).toBeUndefined();
});

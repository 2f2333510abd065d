import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  initializeFarm,
  initializeFarmDelegated,
  updateGlobalConfig,
} from '#core/protocol/farms/instructions/farm-setup.ts';
import { initializeReward } from '#core/protocol/farms/instructions/rewards.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import {
  farmVault,
  farmVaultsAuthority,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
} from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { administered } from '../../../support/farms/administered-farm.ts';
import {
  CONFIG,
  type ExampleFarm,
  REWARD_MINTS,
  repeatedByteAddress,
  STAKED_MINT,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import { refreshFarmCall } from '../../../support/farms/farm-instructions.ts';
import { NOW, stakedFarm } from '../../../support/farms/farm-scenarios.ts';
import { exampleRentLamports } from '../../../support/localnet/example-token.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';

const [alice, bob, carol] = WALLETS;
const [mint] = REWARD_MINTS;
const NEW_FARM = repeatedByteAddress(70);
const system = { systemProgram: SYSTEM_PROGRAM, rent: RENT_SYSVAR };

const run = (farm: ExampleFarm, call: Instruction) => farm.run(timeAtUnix(NOW), call);

function zeroed(farm: ExampleFarm): ExampleFarm {
  const data = new Uint8Array(farmState.size);
  const account = { owner: FARMS_PROGRAM, lamports: exampleRentLamports(data), data };
  farm.accounts.set(NEW_FARM, account);
  return farm;
}

test('a new farm gets a vault and rewards', () => {
  const farm = zeroed(administered(stakedFarm()));
  const create = initializeFarm.build(FARMS_PROGRAM, {
    accounts: {
      farmAdmin: bob,
      farmState: NEW_FARM,
      globalConfig: CONFIG,
      farmVault: farmVault(NEW_FARM, STAKED_MINT),
      farmVaultsAuthority: farmVaultsAuthority(NEW_FARM),
      tokenMint: STAKED_MINT,
      tokenProgram: TOKEN_PROGRAM,
      ...system,
    },
    args: {},
  });
  expect(run(farm, create)).toBeUndefined();
  expect(farm.balance(farmVault(NEW_FARM, STAKED_MINT))).toBe(0n);
  expect(run(farm, create)).toEqual(instructionError(2013));
  const addReward = (farmAdmin: Address) =>
    initializeReward.build(FARMS_PROGRAM, {
      accounts: {
        farmAdmin,
        farmState: NEW_FARM,
        globalConfig: CONFIG,
        rewardMint: mint,
        rewardVault: rewardVault(NEW_FARM, mint),
        rewardTreasuryVault: treasuryVault(CONFIG, mint),
        farmVaultsAuthority: farmVaultsAuthority(NEW_FARM),
        treasuryVaultsAuthority: treasuryVaultsAuthority(CONFIG),
        tokenProgram: TOKEN_PROGRAM,
        ...system,
      },
      args: {},
    });
  expect(run(farm, addReward(alice))).toEqual(instructionError(2001));
  expect(run(farm, addReward(bob))).toBeUndefined();
  expect(farm.balance(rewardVault(NEW_FARM, mint))).toBe(0n);
  expect(run(farm, refreshFarmCall({ farmState: NEW_FARM }))).toBeUndefined();
});

test('a delegated farm has no vault', () => {
  const farm = zeroed(administered(stakedFarm()));
  const create = initializeFarmDelegated.build(FARMS_PROGRAM, {
    accounts: {
      farmAdmin: bob,
      farmDelegate: carol,
      farmState: NEW_FARM,
      globalConfig: CONFIG,
      farmVaultsAuthority: farmVaultsAuthority(NEW_FARM),
      ...system,
    },
    args: {},
  });
  expect(run(farm, create)).toBeUndefined();
  const account = farm.accounts.get(NEW_FARM);
  expect(account && farmState.decode(account)).toMatchObject({
    delegateAuthority: carol,
    isFarmDelegated: 1,
  });
});

test('the global admin sets the fee of the treasury', () => {
  const farm = administered(stakedFarm());
  const fee = (globalAdmin: Address, bps: number) =>
    updateGlobalConfig.build(FARMS_PROGRAM, {
      accounts: { globalAdmin, globalConfig: CONFIG },
      args: { mode: 1, value: Uint8Array.of(bps, ...new Uint8Array(31)) },
    });
  expect(run(farm, fee(alice, 9))).toEqual(instructionError(2001));
  expect(run(farm, fee(bob, 9))).toBeUndefined();
  const account = farm.accounts.get(CONFIG);
  expect(account && globalConfig.decode(account).treasuryFeeBps).toBe(9n);
});

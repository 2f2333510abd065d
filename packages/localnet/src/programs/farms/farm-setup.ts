import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
} from '@tidegate/core/base';
import {
  farmVault as farmVaultAddress,
  rewardVault as rewardVaultAddress,
  treasuryVault as treasuryVaultAddress,
} from '@tidegate/core/protocol/farms';
import {
  initializeFarm,
  initializeFarmDelegated,
  initializeReward,
} from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, farmState, globalConfig } from '@tidegate/core/protocol/farms/layout';
import { farmTime } from '@tidegate/core/protocol/farms/math';
import {
  initializeReward as addReward,
  initializeFarmDelegated as createDelegatedFarm,
  initializeFarm as createFarm,
  type NewFarm,
} from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { createTokenPda } from '../framework/create-token-pda.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import {
  checkSystemAccounts,
  rejectRemainingAccounts,
  requireConstraint,
} from './farm-constraints.ts';
import { checkTokenAccount, checkTokenProgram, decodeOrFail } from './farm-token-accounts.ts';
import { checkRewardMint } from './reward-mint.ts';
import { requireZeroed } from './zeroed-account.ts';

const UNITS = 40_000;

export const farmSetupHandlers: readonly InstructionHandler[] = [
  anchorHandler(initializeFarm, UNITS, ({ accounts, remaining }, call) => {
    const { farmState: farm, farmVault, tokenMint, tokenProgram, farmAdmin } = accounts;
    const created = checkNewFarm(call, accounts);
    const isTokenProgram = tokenProgram === TOKEN_PROGRAM;
    requireConstraint(call, isTokenProgram, ['InvalidProgramId', 'tokenProgram']);
    const { decimals } = decodeOrFail(() => mintLayout.view(call.account(tokenMint)));
    const isOfProgram = call.account(tokenMint).owner === TOKEN_PROGRAM;
    requireConstraint(call, isOfProgram, ['AccountOwnedByWrongProgram', 'tokenMint']);
    const isDerived = farmVault === farmVaultAddress(farm, tokenMint, call.program);
    requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVault']);
    createTokenPda(call, {
      address: farmVault,
      payer: farmAdmin,
      mint: tokenMint,
      authority: created.farmVaultsAuthority,
      tokenProgram,
    });
    rejectRemainingAccounts(remaining);
    const token = { mint: tokenMint, decimals, tokenProgram };
    writeNewFarm(call, farm, createFarm(created, token, farmVault));
    call.log(`Initialize farm ${farm} ts ${call.time.unix}`);
  }),
  anchorHandler(initializeFarmDelegated, UNITS, ({ accounts, remaining }, call) => {
    const created = checkNewFarm(call, accounts);
    rejectRemainingAccounts(remaining);
    const fields = createDelegatedFarm(created, accounts.farmDelegate);
    writeNewFarm(call, accounts.farmState, fields);
    call.log(`InitializeFarmDelegated ${accounts.farmState} ts ${call.time.unix}`);
  }),
  anchorHandler(initializeReward, UNITS, initReward),
];

type NewFarmAccounts = {
  readonly farmAdmin: Address;
  readonly farmState: Address;
  readonly globalConfig: Address;
  readonly farmVaultsAuthority: Address;
  readonly systemProgram: Address;
  readonly rent: Address;
};

/** A new farm counts seconds. */
function checkNewFarm(call: InvokeContext, accounts: NewFarmAccounts): NewFarm {
  const { farmState: address, farmAdmin, farmVaultsAuthority } = accounts;
  requireZeroed(call, farmState, { slot: 'farmState', address });
  readAccount(call, globalConfig, accounts.globalConfig);
  checkSystemAccounts(call, accounts);
  const seeds = [bytesFromText('authority'), addressToBytes(address)];
  const authority = findProgramAddress(seeds, call.program);
  const isDerived = farmVaultsAuthority === authority.address;
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVaultsAuthority']);
  return {
    farmAdmin,
    globalConfig: accounts.globalConfig,
    farmVaultsAuthority,
    farmVaultsAuthorityBump: BigInt(authority.bump),
  };
}

const writeNewFarm = (call: InvokeContext, address: Address, fields: FarmState): void =>
  writeEncodedAccount(call, { address, fields, data: farmState.encode(fields) });

type RewardAccounts = ReturnType<typeof initializeReward.decode>['accounts'];

function initReward(
  { accounts, remaining }: ReturnType<typeof initializeReward.decode>,
  call: InvokeContext,
): void {
  const { farmState: address, rewardMint: mint, tokenProgram, rewardVault } = accounts;
  const farm = checkRewardAccounts(call, accounts);
  createVaults(call, accounts);
  rejectRemainingAccounts(remaining);
  checkRewardMint(call, mint);
  const { decimals } = mintLayout.view(call.account(mint));
  const reward = { mint, decimals, tokenProgram, rewardsVault: rewardVault };
  writeFarm(call, address, addReward(farm, reward, { at: call.time }));
  call.log(`InitializeReward ${mint} farm_state ${address} ts ${farmTime(farm, call.time)}`);
}

function checkRewardAccounts(call: InvokeContext, accounts: RewardAccounts): FarmState {
  const { farmAdmin, farmVaultsAuthority, rewardMint, tokenProgram } = accounts;
  const farm = readFarm(call, accounts.farmState);
  const config = readAccount(call, globalConfig, accounts.globalConfig);
  decodeOrFail(() => mintLayout.view(call.account(rewardMint)));
  checkTokenProgram(call, tokenProgram);
  checkSystemAccounts(call, accounts);
  const isLinked =
    farm.farmAdmin === farmAdmin &&
    farm.globalConfig === accounts.globalConfig &&
    farm.farmVaultsAuthority === farmVaultsAuthority;
  requireConstraint(call, isLinked, ['ConstraintHasOne', 'farmState']);
  const isTreasury = config.treasuryVaultsAuthority === accounts.treasuryVaultsAuthority;
  requireConstraint(call, isTreasury, ['ConstraintHasOne', 'globalConfig']);
  const isOfProgram = call.account(rewardMint).owner === tokenProgram;
  requireConstraint(call, isOfProgram, ['ConstraintMintTokenProgram', 'rewardMint']);
  return farm;
}

/** All farms of a global config share the treasury's vault of a mint. */
function createVaults(call: InvokeContext, accounts: RewardAccounts): void {
  const { farmAdmin: payer, rewardMint: mint, tokenProgram } = accounts;
  const { rewardVault, rewardTreasuryVault, farmState: farm } = accounts;
  const isRewardVault = rewardVault === rewardVaultAddress(farm, mint, call.program);
  requireConstraint(call, isRewardVault, ['ConstraintSeeds', 'rewardVault']);
  const vault = { payer, mint, tokenProgram };
  const authority = accounts.farmVaultsAuthority;
  createTokenPda(call, { ...vault, address: rewardVault, authority });
  const derived = treasuryVaultAddress(accounts.globalConfig, mint, call.program);
  const isTreasuryVault = rewardTreasuryVault === derived;
  requireConstraint(call, isTreasuryVault, ['ConstraintSeeds', 'rewardTreasuryVault']);
  const treasury = accounts.treasuryVaultsAuthority;
  if (call.account(rewardTreasuryVault).owner === SYSTEM_PROGRAM) {
    createTokenPda(call, { ...vault, address: rewardTreasuryVault, authority: treasury });
  }
  const slot = { slot: 'rewardTreasuryVault', address: rewardTreasuryVault };
  checkTokenAccount(call, slot, { authority: treasury, mint, tokenProgram });
}

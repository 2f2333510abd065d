import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
} from '@tidegate/core/base';
import {
  decodeFarmConfigValue,
  type FarmConfigEntry,
  farmConfigEntries,
  farmVault as farmVaultAddress,
  rewardVault as rewardVaultAddress,
  treasuryVault as treasuryVaultAddress,
} from '@tidegate/core/protocol/farms';
import {
  initializeFarm,
  initializeFarmDelegated,
  initializeGlobalConfig,
  initializeReward,
  updateFarmAdmin,
  updateFarmConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
  updateSecondDelegatedAuthority,
} from '@tidegate/core/protocol/farms/instructions';
import { type FarmState, farmState, globalConfig } from '@tidegate/core/protocol/farms/layout';
import { type FarmContext, farmTime } from '@tidegate/core/protocol/farms/math';
import {
  initializeReward as addReward,
  updateFarmConfig as changeFarmConfig,
  updateGlobalConfig as changeGlobalConfig,
  initializeFarmDelegated as createDelegatedFarm,
  initializeFarm as createFarm,
  isFarmConfigAuthority,
  type NewFarm,
} from '@tidegate/core/protocol/farms/operations';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { mint as mintLayout } from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount, writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createTokenPda } from '../framework/create-token-pda.ts';
import {
  checkSystemAccounts,
  readFarm,
  readFarmContext,
  rejectRemainingAccounts,
  requireConstraint,
  requireFarmRule,
  requireZeroed,
  writeFarm,
} from './farm-accounts.ts';
import { logOperation } from './farm-logs.ts';
import {
  checkRewardMint,
  checkTokenAccount,
  checkTokenProgram,
  decodeOrFail,
} from './farm-token-accounts.ts';

const SETUP_UNITS = 40_000;

export const farmSetupHandlers: readonly InstructionHandler[] = [
  anchorHandler(initializeFarm, SETUP_UNITS, ({ accounts, remaining }, call) => {
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
  anchorHandler(initializeFarmDelegated, SETUP_UNITS, ({ accounts, remaining }, call) => {
    const created = checkNewFarm(call, accounts);
    rejectRemainingAccounts(remaining);
    const fields = createDelegatedFarm(created, accounts.farmDelegate);
    writeNewFarm(call, accounts.farmState, fields);
    call.log(`InitializeFarmDelegated ${accounts.farmState} ts ${call.time.unix}`);
  }),
  anchorHandler(initializeReward, SETUP_UNITS, initReward),
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

const CONFIG_UNITS = 30_000;
const UNITS = 10_000;

export const farmSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(updateFarmConfig, CONFIG_UNITS, changeSetting),
  anchorHandler(updateFarmAdmin, UNITS, ({ accounts, remaining }, call) => {
    const farm = readFarm(call, accounts.farmState);
    const { pendingFarmAdmin: farmAdmin } = farm;
    const isPending = farmAdmin === accounts.pendingFarmAdmin;
    requireConstraint(call, isPending, ['ConstraintHasOne', 'farmState']);
    rejectRemainingAccounts(remaining);
    call.log(`Update farm admin prev=${farm.farmAdmin} new=${farmAdmin}`);
    writeFarm(call, accounts.farmState, { ...farm, farmAdmin });
  }),
  anchorHandler(updateSecondDelegatedAuthority, UNITS, ({ accounts, remaining }, call) => {
    const farm = readFarm(call, accounts.farmState);
    const { globalAdmin } = readAccount(call, globalConfig, accounts.globalConfig);
    const isConfig = farm.globalConfig === accounts.globalConfig;
    requireConstraint(call, isConfig, ['ConstraintHasOne', 'farmState']);
    const isAdmin = globalAdmin === accounts.globalAdmin;
    requireConstraint(call, isAdmin, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const { newSecondDelegatedAuthority: secondDelegatedAuthority } = accounts;
    writeFarm(call, accounts.farmState, { ...farm, secondDelegatedAuthority });
  }),
];

type ConfigCall = ReturnType<typeof updateFarmConfig.decode>;

function changeSetting({ accounts, args, list, remaining }: ConfigCall, call: InvokeContext): void {
  const farm = readFarm(call, accounts.farmState);
  rejectRemainingAccounts(remaining);
  const context = contextIfReadable(call, farm, accounts);
  const entry = farmConfigEntries[args.mode];
  if (entry === undefined) throw new ProgramFailure('ProgramFailedToComplete');
  checkAuthority(call, farm, { entry, accounts });
  logOperation(call, `update_farm_config mode=${entry.name} with data of len ${list.length}`);
  const value = decodeFarmConfigValue(entry, Uint8Array.from(list));
  if (value === undefined) {
    throw new ProgramFailure(isSliced(entry) ? 'ProgramFailedToComplete' : 'BorshIoError');
  }
  writeFarm(call, accounts.farmState, changeFarmConfig(farm, { entry, value }, context));
}

/** The program takes the first bytes of these values and panics if there are too few. */
const isSliced = ({ type }: FarmConfigEntry): boolean =>
  ['leading u64', 'flag', 'reward type', 'rate decimals'].includes(type);

/** Without a valid price account the price is missing, which only matters for a reward of a farm with an oracle. */
function contextIfReadable(
  call: InvokeContext,
  farm: FarmState,
  { scopePrices }: ConfigCall['accounts'],
): FarmContext {
  try {
    return readFarmContext(call, farm, scopePrices);
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return { at: call.time };
    throw error;
  }
}

type Change = { readonly entry: FarmConfigEntry; readonly accounts: ConfigCall['accounts'] };

function checkAuthority(call: InvokeContext, farm: FarmState, { entry, accounts }: Change): void {
  if (isFarmConfigAuthority(farm, entry, accounts.signer)) return;
  const reason = `${accounts.signer} may not change ${entry.name}`;
  const isRate = entry.authority === 'farm admin or rate admin';
  requireFarmRule(!isRate, 'InvalidFarmConfigUpdateAuthority', reason);
  throw anchorFailure(call, 'RequireKeysEqViolated');
}

export const farmGlobalSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(initializeGlobalConfig, UNITS, ({ accounts, remaining }, call) => {
    const { globalConfig: address, globalAdmin, treasuryVaultsAuthority } = accounts;
    requireZeroed(call, globalConfig, { slot: 'globalConfig', address });
    const isSystem = accounts.systemProgram === SYSTEM_PROGRAM;
    requireConstraint(call, isSystem, ['InvalidProgramId', 'systemProgram']);
    const seeds = [bytesFromText('authority'), addressToBytes(address)];
    const authority = findProgramAddress(seeds, call.program);
    const isDerived = treasuryVaultsAuthority === authority.address;
    requireConstraint(call, isDerived, ['ConstraintSeeds', 'treasuryVaultsAuthority']);
    rejectRemainingAccounts(remaining);
    const { body } = globalConfig;
    const fields = {
      ...body.decode(new DataView(new ArrayBuffer(body.size)), 0),
      globalAdmin,
      pendingGlobalAdmin: globalAdmin,
      treasuryVaultsAuthority,
      treasuryVaultsAuthorityBump: BigInt(authority.bump),
    };
    writeEncodedAccount(call, { address, fields, data: globalConfig.encode(fields) });
  }),
  anchorHandler(updateGlobalConfig, UNITS, ({ accounts, args, remaining }, call) => {
    const { globalConfig: address, globalAdmin } = accounts;
    const config = readAccount(call, globalConfig, address);
    const isAdmin = config.globalAdmin === globalAdmin;
    requireConstraint(call, isAdmin, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const fields = changeGlobalConfig(config, args.mode, args.value);
    writeAccount(call, globalConfig, { address, fields });
  }),
  anchorHandler(updateGlobalConfigAdmin, UNITS, ({ accounts, remaining }, call) => {
    const { globalConfig: address, pendingGlobalAdmin } = accounts;
    const config = readAccount(call, globalConfig, address);
    const isPending = config.pendingGlobalAdmin === pendingGlobalAdmin;
    requireConstraint(call, isPending, ['ConstraintHasOne', 'globalConfig']);
    rejectRemainingAccounts(remaining);
    const fields = { ...config, globalAdmin: pendingGlobalAdmin };
    call.log(`Update global admin prev=${config.globalAdmin} new=${pendingGlobalAdmin}`);
    writeAccount(call, globalConfig, { address, fields });
  }),
];

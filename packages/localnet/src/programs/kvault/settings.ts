import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  decodeVaultConfigValue,
  globalConfigAddress,
  reserveWhitelistEntryAddress,
  sharesMint as sharesMintAddress,
  tokenVault as tokenVaultAddress,
  type VaultConfigEntry,
  type VaultRules,
  vaultConfigEntries,
} from '@tidegate/core/protocol/kvault';
import {
  addUpdateWhitelistedReserve,
  initVault,
  removeAllocation,
  reserveWhitelistModes,
  updateAdmin,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
  updateVaultConfig,
} from '@tidegate/core/protocol/kvault/instructions';
import {
  type GlobalConfig,
  globalConfig,
  type ReserveWhitelistEntry,
  reserveWhitelistEntry,
  vaultState,
} from '@tidegate/core/protocol/kvault/layout';
import {
  updateGlobalConfig as changeGlobalConfig,
  updateVaultConfig as changeVaultConfig,
  initVault as createVault,
  decodeGlobalConfigUpdate,
  removeAllocation as remove,
  requireVaultConfigAuthority,
  updateWhitelistEntry,
} from '@tidegate/core/protocol/kvault/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { writeAccount, writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import { createMintPda, createTokenPda } from '../framework/create-token-pda.ts';
import {
  accountChecks,
  loadAccount,
  readVaultContext,
  refreshVaultReserves,
  requireVaultAccounts,
  TOKEN_PROGRAMS,
} from './account-checks.ts';
import { transferFromUser } from './cpi.ts';

const INIT_UNITS = 60_000;
const ACCOUNT_SYSVAR_MISMATCH = 3015;

export const initVaultHandler = (rules: VaultRules): InstructionHandler =>
  anchorHandler(initVault, INIT_UNITS, (decoded, call) => handleInitVault(decoded, call, rules));

function handleInitVault(
  { accounts }: ReturnType<typeof initVault.decode>,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const { decimals, authorityBump } = checkAndCreateAccounts(call, accounts);
  const { adminAuthority, tokenVault, baseTokenMint, tokenProgram } = accounts;
  const effects = createVault(
    {
      vaultAdminAuthority: adminAuthority,
      tokenMint: baseTokenMint,
      tokenMintDecimals: BigInt(decimals),
      tokenVault,
      tokenProgram,
      baseVaultAuthority: accounts.baseVaultAuthority,
      baseVaultAuthorityBump: BigInt(authorityBump),
      sharesMint: accounts.sharesMint,
      sharesMintDecimals: BigInt(decimals),
    },
    { time: call.time, rules },
  );
  const { vault: fields, tokenToDeposit, crankFundsToDeposit } = effects;
  const data = vaultState.encode(fields);
  writeEncodedAccount(call, { address: accounts.vaultState, fields, data });
  transferFromUser(call, {
    tokenProgram,
    source: accounts.adminTokenAccount,
    mint: baseTokenMint,
    destination: tokenVault,
    authority: adminAuthority,
    amount: tokenToDeposit + crankFundsToDeposit,
    decimals,
  });
}

type Accounts = ReturnType<typeof initVault.decode>['accounts'];

function checkAndCreateAccounts(
  call: InvokeContext,
  accounts: Accounts,
): { readonly decimals: number; readonly authorityBump: number } {
  const check = accountChecks(call, accounts);
  const { adminAuthority: payer, baseTokenMint, tokenProgram } = accounts;
  requireZeroedVault(call, accounts);
  const { decimals } = check.mint('baseTokenMint');
  check.program('systemProgram', SYSTEM_PROGRAM);
  if (accounts.rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  const authority = baseAuthority(call, accounts);
  check.seeds('baseVaultAuthority', authority.address);
  check.seeds('tokenVault', tokenVaultAddress(accounts.vaultState, call.program));
  createTokenPda(call, {
    address: accounts.tokenVault,
    payer,
    mint: baseTokenMint,
    authority: authority.address,
    tokenProgram,
  });
  const isOfProgram = call.account(baseTokenMint).owner === tokenProgram;
  check.require(isOfProgram, 'ConstraintMintTokenProgram', 'baseTokenMint');
  check.seeds('sharesMint', sharesMintAddress(accounts.vaultState, call.program));
  const address = accounts.sharesMint;
  createMintPda(call, { address, payer, authority: authority.address, decimals });
  check.token('adminTokenAccount');
  check.tokenTerms('adminTokenAccount', { authority: payer, mint: baseTokenMint });
  return { decimals, authorityBump: authority.bump };
}

/** The caller has created the account with the vault's size. */
function requireZeroedVault(call: InvokeContext, accounts: Accounts): void {
  const { owner, data } = call.account(accounts.vaultState);
  if (owner !== call.program) throw anchorFailure(call, 'AccountOwnedByWrongProgram', 'vaultState');
  const discriminator = data.subarray(0, vaultState.discriminator.length);
  if (data.length < vaultState.size || discriminator.some((byte) => byte !== 0)) {
    throw anchorFailure(call, 'ConstraintZero', 'vaultState');
  }
}

/** With its bump, which the vault stores. */
const baseAuthority = (call: InvokeContext, { vaultState: vault }: Accounts): ProgramAddress =>
  findProgramAddress([bytesFromText('authority'), addressToBytes(vault)], call.program);

const CONFIG_UNITS = 50_000;
const UNITS = 10_000;

export const vaultSettingsHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  anchorHandler(updateVaultConfig, CONFIG_UNITS, (decoded, call) =>
    updateConfig(decoded, call, rules),
  ),
  anchorHandler(updateAdmin, UNITS, acceptAdmin),
  anchorHandler(removeAllocation, UNITS, (decoded, call) => removeReserve(decoded, call, rules)),
];

function isKnown({ name }: VaultConfigEntry, { depositCap, permissioning }: VaultRules): boolean {
  if (name === 'DepositCap') return depositCap !== 'none';
  return name !== 'PermissioningAuthority' || permissioning !== 'none';
}

function updateConfig(
  { accounts, args, list, remaining }: ReturnType<typeof updateVaultConfig.decode>,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const entry = vaultConfigEntries[args.entry];
  if (entry === undefined || !isKnown(entry, rules)) {
    throw anchorFailure(call, 'InstructionDidNotDeserialize');
  }
  const check = accountChecks(call, accounts);
  const { globalAdmin } = check.load('globalConfig', globalConfig, call.program);
  const vault = check.load('vaultState', vaultState, call.program);
  check.program('klendProgram', KLEND_PROGRAM);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  const value = decodeVaultConfigValue(entry, Uint8Array.from(list));
  const signer = {
    isGlobalAdmin: accounts.signer === globalAdmin,
    isVaultAdmin: accounts.signer === vault.vaultAdminAuthority,
  };
  // Only the value of a flag is decoded before the authority is checked.
  if (value === undefined && entry.type === 'flag') throw new ProgramFailure('BorshIoError');
  requireVaultConfigAuthority({ entry, value: value ?? 0n }, signer);
  const listed = { vault, remaining, rules };
  refreshVaultReserves(call, listed);
  const context = readVaultContext(call, listed);
  if (value === undefined) throw new ProgramFailure('BorshIoError');
  call.log(`Updating vault config field ${entry.name}`);
  const fields = changeVaultConfig(vault, context, { entry, value });
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}

function acceptAdmin(
  { accounts }: ReturnType<typeof updateAdmin.decode>,
  call: InvokeContext,
): void {
  const check = accountChecks(call, accounts);
  const vault = check.load('vaultState', vaultState, call.program);
  const { pendingAdmin } = vault;
  check.require(pendingAdmin === accounts.pendingAdmin, 'ConstraintHasOne', 'vaultState');
  call.log(`Update admin from ${vault.vaultAdminAuthority} to ${pendingAdmin}`);
  const fields = { ...vault, vaultAdminAuthority: pendingAdmin };
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}

function removeReserve(
  { accounts }: ReturnType<typeof removeAllocation.decode>,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const check = accountChecks(call, accounts);
  const vault = check.load('vaultState', vaultState, call.program);
  check.load('reserve', reserveLayout, KLEND_PROGRAM);
  const { vaultAdminAuthority } = accounts;
  requireVaultAccounts(call, vault, { vaultAdminAuthority });
  const fields = remove(vault, accounts.reserve, rules);
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}

export const vaultGlobalSettingsHandlers: readonly InstructionHandler[] = [
  anchorHandler(updateGlobalConfig, UNITS, ({ accounts, args, list }, call) => {
    const changed = decodeGlobalConfigUpdate(args.mode, Uint8Array.from(list));
    if (changed === undefined) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    const isAdmin = ({ globalAdmin }: GlobalConfig) => globalAdmin === accounts.globalAdmin;
    const config = loadConfig(call, accounts, isAdmin);
    call.log(`Updating global config with mode ${changed.mode}(${changed.value})`);
    const fields = changeGlobalConfig(config, changed);
    writeAccount(call, globalConfig, { address: accounts.globalConfig, fields });
  }),
  anchorHandler(updateGlobalConfigAdmin, UNITS, ({ accounts }, call) => {
    const isPending = ({ pendingAdmin }: GlobalConfig) => pendingAdmin === accounts.pendingAdmin;
    const config = loadConfig(call, accounts, isPending);
    const fields = { ...config, globalAdmin: config.pendingAdmin };
    writeAccount(call, globalConfig, { address: accounts.globalConfig, fields });
  }),
  anchorHandler(addUpdateWhitelistedReserve, UNITS, whitelistReserve),
];

type ConfigAccounts = { readonly globalConfig: Address };

/** `isLinked`: whether the config refers to the signer. */
function loadConfig(
  call: InvokeContext,
  accounts: ConfigAccounts,
  isLinked: (config: GlobalConfig) => boolean,
): GlobalConfig {
  const check = accountChecks(call, accounts);
  const config = check.load('globalConfig', globalConfig, call.program);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  check.require(isLinked(config), 'ConstraintHasOne', 'globalConfig');
  return config;
}

type WhitelistCall = ReturnType<typeof addUpdateWhitelistedReserve.decode>;

function whitelistReserve({ accounts, args }: WhitelistCall, call: InvokeContext): void {
  const mode = reserveWhitelistModes[args.mode];
  if (mode === undefined) throw anchorFailure(call, 'InstructionDidNotDeserialize');
  const check = accountChecks(call, accounts);
  const { globalAdmin: admin, reserve, reserveWhitelistEntry: address } = accounts;
  loadConfig(call, accounts, ({ globalAdmin }) => globalAdmin === admin);
  const { liquidity } = check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.program('systemProgram', SYSTEM_PROGRAM);
  check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  const entry = loadOrCreateEntry(call, accounts);
  const { mintPubkey: tokenMint } = liquidity;
  const fields = updateWhitelistEntry(entry, { reserve, tokenMint, mode, value: args.value });
  const data = reserveWhitelistEntry.encode(fields);
  writeEncodedAccount(call, { address, fields, data });
  call.log(`Updated whitelisted reserve ${reserve} with token mint ${tokenMint}`);
}

function loadOrCreateEntry(
  call: InvokeContext,
  { reserveWhitelistEntry: address, globalAdmin: payer }: WhitelistCall['accounts'],
): ReserveWhitelistEntry {
  if (call.account(address).owner !== SYSTEM_PROGRAM) {
    return loadAccount(call, reserveWhitelistEntry, { address, owner: call.program });
  }
  createPdaAccount(call, { address, payer, size: reserveWhitelistEntry.size });
  const { body } = reserveWhitelistEntry;
  return body.decode(new DataView(new ArrayBuffer(body.size)), 0);
}

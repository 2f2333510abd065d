import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  decodeVaultConfigValue,
  globalConfigAddress,
  type VaultConfigEntry,
  type VaultRules,
  vaultConfigEntries,
} from '@tidegate/core/protocol/kvault';
import {
  removeAllocation,
  updateAdmin,
  updateVaultConfig,
} from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  removeAllocation as remove,
  requireVaultConfigAuthority,
  updateVaultConfig as update,
} from '@tidegate/core/protocol/kvault/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { accountChecks } from './account-checks.ts';
import { requireVaultAccounts } from './vault-checks.ts';
import { readVaultContext, refreshVaultReserves } from './vault-reserves.ts';

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
  const fields = update(vault, context, { entry, value });
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

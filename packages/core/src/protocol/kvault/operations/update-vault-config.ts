import { CodedError } from '../../../base/errors.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import type { VaultConfigEntry } from '../vault-config.ts';
import type { VaultConfigValue } from '../vault-config-value.ts';
import { chargeFees, issueRewards, type VaultContext, valueHoldings } from './refresh-vault.ts';

export type VaultConfigUpdate = {
  readonly entry: VaultConfigEntry;
  readonly value: VaultConfigValue;
};

/** The roles of the signer. */
export type VaultConfigSigner = {
  readonly isGlobalAdmin: boolean;
  readonly isVaultAdmin: boolean;
};

/** The first check of `updateVaultConfig`. A flag must be 0 or 1, whoever signs. */
export function requireVaultConfigAuthority(
  { entry, value }: VaultConfigUpdate,
  { isGlobalAdmin, isVaultAdmin }: VaultConfigSigner,
): void {
  if (entry.authority === 'global admin to clear' && value !== 0n && value !== 1n) {
    throw kvaultRejection('InvalidBoolLikeValue', `${entry.name} is ${value}, not 0 or 1`);
  }
  const isOpenToGlobalAdmin = entry.authority !== 'vault admin';
  const isOpenToVaultAdmin = entry.authority !== 'global admin to clear' || value === 1n;
  if ((isOpenToGlobalAdmin && isGlobalAdmin) || (isOpenToVaultAdmin && isVaultAdmin)) return;
  const reason = `the signer may not change ${entry.name}`;
  throw kvaultRejection('AdminAuthorityIncorrect', reason);
}

/** The `updateVaultConfig` instruction: issues rewards and charges fees by the old setting, then changes it. */
export function updateVaultConfig(
  vault: VaultState,
  context: VaultContext,
  update: VaultConfigUpdate,
): VaultState {
  const { time } = context;
  const rewarded = issueRewards(vault, time.unix);
  const { investedTotal } = valueHoldings(rewarded, context);
  return setVaultConfig(chargeFees(rewarded, investedTotal, time.unix), update, time.unix);
}

/** Changes a setting without the refresh. */
export function setVaultConfig(
  vault: VaultState,
  { entry, value }: VaultConfigUpdate,
  now: UnixSeconds,
): VaultState {
  switch (entry.type) {
    case 'name':
      return { ...vault, name: paddedName(requireValue(value, isBytes), vault.name.length) };
    case 'address':
      return { ...vault, [entry.field]: requireValue(value, isText) };
    case 'flag':
      return { ...vault, [entry.field]: Number(requireValue(value, isNumber)) };
    case 'rewardPerSecond': {
      const rewardPerSecond = requireValue(value, isNumber);
      return {
        ...vault,
        rewardInfo: { ...vault.rewardInfo, rewardPerSecond, lastIssuanceTs: now },
      };
    }
    case 'u64': {
      const amount = requireValue(value, isNumber);
      if (entry.limit !== undefined && amount > entry.limit.max) {
        const reason = `${entry.name} is ${amount}, but the maximum is ${entry.limit.max}`;
        throw kvaultRejection(entry.limit.error, reason);
      }
      return { ...vault, [entry.field]: amount };
    }
  }
}

function paddedName(bytes: Uint8Array, size: number): Uint8Array {
  const name = new Uint8Array(size);
  name.set(bytes.subarray(0, size));
  return name;
}

const isBytes = (value: VaultConfigValue): value is Uint8Array => value instanceof Uint8Array;
const isNumber = (value: VaultConfigValue): value is bigint => typeof value === 'bigint';
const isText = (value: VaultConfigValue): value is Extract<VaultConfigValue, string> =>
  typeof value === 'string';

function requireValue<Value extends VaultConfigValue>(
  value: VaultConfigValue,
  isOfType: (value: VaultConfigValue) => value is Value,
): Value {
  if (isOfType(value)) return value;
  const reason = 'its value has another type than the setting';
  throw new CodedError('MALFORMED_DATA', { what: 'vault setting', reason });
}

import { type Address, addressFromBytes, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import { globalConfigModes } from '../instructions/global-config.ts';
import type { GlobalConfig } from '../layout/global-config.ts';
import { type VaultState, vaultState } from '../layout/vault-state.ts';
import {
  MAX_PENALTY_BPS,
  MAX_PENALTY_LAMPORTS,
  type VaultConfigEntry,
  type VaultConfigValue,
} from '../vault-config.ts';
import { type DepositEffects, depositToVault } from './deposit-to-vault.ts';
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

/** The accounts and decimals of a new vault. */
export type NewVault = Pick<
  VaultState,
  | 'vaultAdminAuthority'
  | 'tokenMint'
  | 'tokenMintDecimals'
  | 'tokenVault'
  | 'tokenProgram'
  | 'baseVaultAuthority'
  | 'baseVaultAuthorityBump'
  | 'sharesMint'
  | 'sharesMintDecimals'
>;

/** In lamports of the vault's token. */
const FIRST_DEPOSIT = 1_000n;

/**
 * The `initVault` instruction. The admin also becomes the allocation admin and pays the first deposit. Its shares are
 * counted but not minted, so that nobody can withdraw them.
 */
export function initVault(
  created: NewVault,
  { time, rules }: Pick<VaultContext, 'time' | 'rules'>,
): DepositEffects {
  if (created.vaultAdminAuthority === ZERO_ADDRESS) {
    throw kvaultRejection('AdminAuthorityIncorrect', 'the admin is the zero address');
  }
  if (created.tokenMintDecimals === 0n) {
    throw kvaultRejection('TokenMintDecimalsIncorrect', 'the token has no decimals');
  }
  const vault: VaultState = {
    ...emptyVault(),
    ...created,
    allocationAdmin: created.vaultAdminAuthority,
    creationTimestamp: time.unix,
    depositCap: toLamports(rules.unsetCap === 'zero' ? 0n : U64_MAX),
  };
  const exchanges = new Map<Address, never>();
  return depositToVault(vault, { exchanges, time, rules }, { maxAmount: FIRST_DEPOSIT });
}

const emptyVault = (): VaultState =>
  vaultState.body.decode(new DataView(new ArrayBuffer(vaultState.body.size)), 0);

export type GlobalConfigUpdate =
  | { readonly mode: 'PendingAdmin'; readonly value: Address }
  | {
      readonly mode: Exclude<(typeof globalConfigModes)[number], 'PendingAdmin'>;
      readonly value: bigint;
    };

/** Undefined for an unknown mode and for truncated data. The program ignores trailing bytes. */
export function decodeGlobalConfigUpdate(
  mode: number,
  data: Uint8Array,
): GlobalConfigUpdate | undefined {
  const name = globalConfigModes[mode];
  if (name === undefined) return undefined;
  if (name === 'PendingAdmin') {
    if (data.length < pubkey.size) return undefined;
    return { mode: name, value: addressFromBytes(data.slice(0, pubkey.size)) };
  }
  if (data.length < u64.size) return undefined;
  return { mode: name, value: u64.decode(new DataView(data.buffer, data.byteOffset), 0) };
}

/** The `updateGlobalConfig` instruction. */
export function updateGlobalConfig(config: GlobalConfig, update: GlobalConfigUpdate): GlobalConfig {
  switch (update.mode) {
    case 'PendingAdmin':
      return { ...config, pendingAdmin: update.value };
    case 'MinWithdrawalPenaltyLamports':
      checkLimit(update, MAX_PENALTY_LAMPORTS);
      return { ...config, withdrawalPenaltyLamports: toLamports(update.value) };
    case 'MinWithdrawalPenaltyBPS':
      checkLimit(update, MAX_PENALTY_BPS);
      return { ...config, withdrawalPenaltyBps: update.value };
  }
}

function checkLimit(
  { mode, value }: { readonly mode: string; readonly value: bigint },
  { max, error }: typeof MAX_PENALTY_BPS,
): void {
  if (value <= max) return;
  throw kvaultRejection(error, `${mode} is ${value}, but the maximum is ${max}`);
}

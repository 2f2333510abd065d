import { addressFromBytes } from '../../../base/encoding/address.ts';
import { bytesToText } from '../../../base/encoding/bytes.ts';
import { cleanText, quoteText } from '../../../base/encoding/foreign-text.ts';
import { decodeTexts } from '../../../base/encoding/texts.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  addUpdateWhitelistedReserve,
  removeAllocation,
  reserveWhitelistModes,
  updateReserveAllocation,
  updateReserveAllocationV2,
} from '../../../protocol/kvault/instructions/allocation.ts';
import {
  globalConfigModes,
  initGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from '../../../protocol/kvault/instructions/global-config.ts';
import {
  topupRewards,
  withdrawRewards,
} from '../../../protocol/kvault/instructions/rewards-and-fees.ts';
import {
  initializeSharesMetadata,
  initVault,
  updateAdmin,
  updateSharesMetadata,
  updateVaultConfig,
} from '../../../protocol/kvault/instructions/vault-setup.ts';
import { decodeGlobalConfigUpdate } from '../../../protocol/kvault/operations/settings.ts';
import {
  decodeVaultConfigValue,
  type VaultConfigValue,
  vaultConfigEntries,
} from '../../../protocol/kvault/vault-config.ts';
import {
  type Alert,
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

type ConfigCall = ReturnType<typeof updateVaultConfig.decode>;

/** Instructions of vault administrators. */
export const vaultAdminDescriptions: readonly DescribedCodec[] = [
  withDescription(
    initVault,
    ({ accounts }, context) =>
      `Create the vault ${context.name(accounts.vaultState)} for ${context.unit(accounts.baseTokenMint)} and make a first deposit that nobody can withdraw`,
  ),
  withDescription(
    updateVaultConfig,
    (call, context) =>
      `Set ${settingName(call)} of ${context.name(call.accounts.vaultState)} to ${settingValue(call, context)}`,
    { values: (call) => ({ value: decodedSetting(call) }), alerts: configAlerts },
  ),
  withDescription(
    updateReserveAllocation,
    ({ accounts, args }, context) =>
      `Set the weight of ${context.name(accounts.reserve)} in ${context.name(accounts.vaultState)} to ${args.weight}, with a cap of ${args.cap} lamports`,
  ),
  withDescription(updateReserveAllocationV2, ({ accounts, args }, context) => {
    const { weight, cap, ctokenAllocationCap: ctokens } = args;
    const more = ctokens === 0n || ctokens === U64_MAX ? '' : ` and ${ctokens} cTokens`;
    return `Set the weight of ${context.name(accounts.reserve)} in ${context.name(accounts.vaultState)} to ${weight}, with a cap of ${cap} lamports${more}`;
  }),
  withDescription(
    removeAllocation,
    ({ accounts }, context) =>
      `Remove ${context.name(accounts.reserve)} from the allocations of ${context.name(accounts.vaultState)}`,
  ),
  withDescription(
    updateAdmin,
    ({ accounts }, context) =>
      `Make ${context.name(accounts.pendingAdmin)} the admin of ${context.name(accounts.vaultState)}`,
  ),
  withDescription(
    topupRewards,
    ({ accounts, args }, context) =>
      `Add ${context.tokens(args.amount, accounts.tokenMint)} to the rewards of ${context.name(accounts.vaultState)}`,
  ),
  withDescription(
    withdrawRewards,
    ({ accounts, args }, context) =>
      `Withdraw at most ${context.tokens(args.amount, accounts.tokenMint)} of the rewards of ${context.name(accounts.vaultState)}`,
    { receives: ['withdrawTokenAccount'] },
  ),
  withDescription(
    initializeSharesMetadata,
    ({ accounts, list }, context) =>
      `Name the shares of ${context.name(accounts.vaultState)} ${shareName(list)}`,
    { values: shareTexts },
  ),
  withDescription(
    updateSharesMetadata,
    ({ accounts, list }, context) =>
      `Rename the shares of ${context.name(accounts.vaultState)} to ${shareName(list)}`,
    { values: shareTexts },
  ),
  withDescription(initGlobalConfig, () => 'Create the global settings of the vault program'),
  withDescription(
    updateGlobalConfig,
    ({ args, list }) => {
      const update = decodeGlobalConfigUpdate(args.mode, Uint8Array.from(list));
      const name = globalConfigModes[args.mode] ?? `number ${args.mode}`;
      return `Set ${name} of all vaults to ${update?.value ?? 'a value of another size'}`;
    },
    {
      values: ({ args, list }) => ({
        value: decodeGlobalConfigUpdate(args.mode, Uint8Array.from(list))?.value ?? list,
      }),
    },
  ),
  withDescription(
    updateGlobalConfigAdmin,
    ({ accounts }, context) =>
      `Make ${context.name(accounts.pendingAdmin)} the admin of the vault program`,
  ),
  withDescription(addUpdateWhitelistedReserve, ({ accounts, args }, context) => {
    const name = reserveWhitelistModes[args.mode] ?? `number ${args.mode}`;
    return `Set ${name} of ${context.name(accounts.reserve)} in the whitelist to ${args.value}`;
  }),
];

/** Of a text on the chain, such as the address of an image. */
const MAX_TEXT = 200;

const settingName = ({ args }: ConfigCall): string =>
  vaultConfigEntries[args.entry]?.name ?? `setting ${args.entry}`;

function settingValue(call: ConfigCall, context: DescriptionContext): string {
  const value = decodedValue(call);
  if (value instanceof Uint8Array) return quoteText(bytesToText(value), MAX_TEXT);
  if (value === undefined) return 'a value of another size';
  return typeof value === 'bigint' ? `${value}` : context.name(value);
}

/** A number, an address or a name; the bytes themselves if they are none of these. */
function decodedSetting(call: ConfigCall): unknown {
  const value = decodedValue(call) ?? call.list;
  return value instanceof Uint8Array ? cleanText(bytesToText(value), MAX_TEXT) : value;
}

function decodedValue({ args, list }: ConfigCall): VaultConfigValue | undefined {
  const entry = vaultConfigEntries[args.entry];
  return entry && decodeVaultConfigValue(entry, Uint8Array.from(list));
}

/** The next admin can accept at any time. */
function configAlerts({ args, list }: ConfigCall, context: DescriptionContext): readonly Alert[] {
  const entry = vaultConfigEntries[args.entry];
  if (entry?.name !== 'PendingVaultAdmin' || list.length !== ADDRESS_BYTES) return [];
  const admin = context.name(addressFromBytes(Uint8Array.from(list)));
  const message = `${admin} can make itself the admin of the vault.`;
  return [{ kind: 'CHANGES_AUTHORITY', message }];
}

const ADDRESS_BYTES = 32;

const METADATA_TEXTS = ['name', 'symbol', 'uri'];

function shareTexts({ list }: { readonly list: readonly number[] }) {
  const texts = decodeTexts(Uint8Array.from(list), METADATA_TEXTS.length);
  if (texts === undefined) return { texts: list };
  return Object.fromEntries(
    METADATA_TEXTS.map((name, i) => [name, cleanText(texts[i] ?? '', MAX_TEXT)]),
  );
}

function shareName(list: readonly number[]): string {
  const [name, symbol] = decodeTexts(Uint8Array.from(list), METADATA_TEXTS.length) ?? [];
  if (name === undefined || symbol === undefined) return 'with texts that cannot be read';
  return `${quoteText(name, MAX_TEXT)}, with the symbol ${quoteText(symbol, MAX_TEXT)}`;
}

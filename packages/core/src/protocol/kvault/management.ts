import type { Address } from '../../base/encoding/address.ts';
import { decodeTexts } from '../../base/encoding/texts.ts';
import { hasCode } from '../../base/errors.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import {
  type CallDecoder,
  type InstructionEventReader,
  mapToEvents,
} from '../spl/instruction-events.ts';
import { tokenMovements } from '../spl/token-movements.ts';
import { type Call, descendantsOf } from '../spl/transaction/call-tree.ts';
import {
  addUpdateWhitelistedReserve,
  removeAllocation,
  reserveWhitelistModes,
  updateReserveAllocation,
  updateReserveAllocationV2,
} from './instructions/allocation.ts';
import {
  globalConfigModes,
  initGlobalConfig,
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from './instructions/global-config.ts';
import {
  giveUpPendingFees,
  topupRewards,
  withdrawPendingFees,
  withdrawRewards,
} from './instructions/rewards-and-fees.ts';
import {
  initializeSharesMetadata,
  initVault,
  updateAdmin,
  updateSharesMetadata,
  updateVaultConfig,
} from './instructions/vault-setup.ts';
import { vaultConfigEntries } from './vault-config.ts';

/** An instruction of an administrator, or of somebody who funds a vault. */
export type VaultManagementBody = {
  readonly kind: 'manage';
  readonly instruction: string;
  /** Undefined for the settings of the program, which apply to all vaults. */
  readonly vault: Address | undefined;
  readonly signer: Address;
  readonly reserve: Address | undefined;
  /** Tokens that moved between the vault and the signer, in base units. */
  readonly amount: Lamports | undefined;
  readonly allocation: AllocationTerms | undefined;
  /** A changed setting with its encoded value. The name is undefined for a setting of a later release. */
  readonly setting: { readonly name: string | undefined; readonly value: Uint8Array } | undefined;
  /** The name, symbol and URI of the shares. */
  readonly texts: readonly string[] | undefined;
};

type AllocationTerms = {
  readonly weight: bigint;
  readonly cap: Lamports;
  /** Undefined if the instruction leaves it as it is. */
  readonly ctokenCap: bigint | undefined;
};

type Details = Pick<VaultManagementBody, 'signer'> & Partial<VaultManagementBody>;

export const managementRows: readonly InstructionEventReader<VaultManagementBody>[] = [
  row(initVault, ({ accounts }, call) => ({
    signer: accounts.adminAuthority,
    vault: accounts.vaultState,
    amount: moved(call, accounts.adminTokenAccount, accounts.tokenVault),
  })),
  row(updateVaultConfig, ({ accounts, args, list }) => ({
    signer: accounts.signer,
    vault: accounts.vaultState,
    setting: { name: vaultConfigEntries[args.entry]?.name, value: Uint8Array.from(list) },
  })),
  row(updateReserveAllocation, ({ accounts, args }) => ({
    signer: accounts.signer,
    vault: accounts.vaultState,
    reserve: accounts.reserve,
    allocation: { ...args, ctokenCap: undefined },
  })),
  row(updateReserveAllocationV2, ({ accounts, args }) => ({
    signer: accounts.signer,
    vault: accounts.vaultState,
    reserve: accounts.reserve,
    allocation: { weight: args.weight, cap: args.cap, ctokenCap: args.ctokenAllocationCap },
  })),
  row(removeAllocation, ({ accounts }) => ({
    signer: accounts.vaultAdminAuthority,
    vault: accounts.vaultState,
    reserve: accounts.reserve,
  })),
  row(updateAdmin, ({ accounts }) => ({
    signer: accounts.pendingAdmin,
    vault: accounts.vaultState,
  })),
  row(topupRewards, ({ accounts }, call) => ({
    signer: accounts.payer,
    vault: accounts.vaultState,
    amount: moved(call, accounts.payerTokenTa, accounts.tokenVault),
  })),
  row(withdrawRewards, ({ accounts }, call) => ({
    signer: accounts.vaultAdminAuthority,
    vault: accounts.vaultState,
    amount: moved(call, accounts.tokenVault, accounts.withdrawTokenAccount),
  })),
  row(withdrawPendingFees, ({ accounts }, call) => ({
    signer: accounts.vaultAdminAuthority,
    vault: accounts.vaultState,
    reserve: accounts.reserve,
    amount: moved(call, accounts.tokenVault, accounts.tokenAta),
  })),
  row(giveUpPendingFees, ({ accounts }) => ({
    signer: accounts.vaultAdminAuthority,
    vault: accounts.vaultState,
  })),
  ...[initializeSharesMetadata, updateSharesMetadata].map((codec) =>
    row<ReturnType<typeof updateSharesMetadata.decode>>(codec, ({ accounts, list }) => ({
      signer: accounts.vaultAdminAuthority,
      vault: accounts.vaultState,
      texts: decodeTexts(Uint8Array.from(list), METADATA_TEXTS),
    })),
  ),
  row(initGlobalConfig, ({ accounts }) => ({ signer: accounts.payer })),
  row(updateGlobalConfig, ({ accounts, args, list }) => ({
    signer: accounts.globalAdmin,
    setting: { name: globalConfigModes[args.mode], value: Uint8Array.from(list) },
  })),
  row(updateGlobalConfigAdmin, ({ accounts }) => ({ signer: accounts.pendingAdmin })),
  row(addUpdateWhitelistedReserve, ({ accounts, args }) => ({
    signer: accounts.globalAdmin,
    reserve: accounts.reserve,
    setting: { name: reserveWhitelistModes[args.mode], value: Uint8Array.of(args.value) },
  })),
];

/** Name, symbol and URI. */
const METADATA_TEXTS = 3;

type NamedDecoder<Decoded> = CallDecoder<Decoded> & { readonly name: string };

/** A call that a later release encodes differently has no event. */
function row<Decoded>(
  codec: NamedDecoder<Decoded>,
  detailsOf: (decoded: Decoded, call: Call) => Details,
): InstructionEventReader<VaultManagementBody> {
  const reader = mapToEvents(codec, (decoded: Decoded, call) => [
    { ...NOTHING, ...detailsOf(decoded, call), instruction: codec.name },
  ]);
  return {
    ...reader,
    read(call, logs) {
      try {
        return reader.read(call, logs);
      } catch (error) {
        if (hasCode(error, 'MALFORMED_DATA')) return [];
        throw error;
      }
    },
  };
}

const NOTHING: Omit<VaultManagementBody, 'signer' | 'instruction'> = {
  kind: 'manage',
  vault: undefined,
  reserve: undefined,
  amount: undefined,
  allocation: undefined,
  setting: undefined,
  texts: undefined,
};

/** The program skips transfers of zero. */
const moved = (call: Call, source: Address, destination: Address): Lamports =>
  toLamports(tokenMovements(descendantsOf(call)).transferred(source, destination) ?? 0n);

import { readFileSync } from 'node:fs';
import { adminInstructionSpecs } from './admin-instruction-specs.ts';
import { lendingInstructionSpecs } from './lending-instruction-specs.ts';
import { vaultInstructionSpecs } from './vault-instruction-specs.ts';

export type InstructionSpec = {
  readonly discriminator?: string;
  readonly data?: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  readonly accounts: readonly AccountSpec[];
};

export type AccountSpec = {
  readonly name: string;
  readonly group?: string;
  readonly role: 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';
  readonly optional?: boolean;
};

type ProgramSpec = {
  readonly instructions: Readonly<Record<string, InstructionSpec>>;
  readonly allDiscriminators?: Readonly<Record<string, string>>;
};

export const published = JSON.parse(
  readFileSync(new URL('../../fixtures/protocol/instructions.json', import.meta.url), 'utf8'),
) as { readonly programs: Readonly<Record<string, ProgramSpec>> };

/** Instructions that are missing in the published table, from the source of the token and system programs. */
const tokenRoles = {
  mint: [
    { name: 'mint', role: 'WRITABLE' },
    { name: 'account', role: 'WRITABLE' },
    { name: 'mintAuthority', role: 'READONLY_SIGNER' },
  ],
  burn: [
    { name: 'account', role: 'WRITABLE' },
    { name: 'mint', role: 'WRITABLE' },
    { name: 'authority', role: 'READONLY_SIGNER' },
  ],
} as const;
const amount = { name: 'amount', type: 'u64' };
const decimals = { name: 'decimals', type: 'u8' };
const additionalSpecs: Readonly<Record<string, InstructionSpec>> = {
  ...vaultInstructionSpecs,
  ...adminInstructionSpecs,
  ...lendingInstructionSpecs,
  // The table only has the discriminators of these two; the rest comes from the source of the programs.
  'klend.updateReserveConfig': {
    discriminator: '3d9464468f6b110d',
    args: [
      { name: 'mode', type: 'UpdateConfigMode' },
      { name: 'value', type: 'Vec<u8> (u32 count + u8 each)' },
      { name: 'skipConfigIntegrityValidation', type: 'bool' },
    ],
    accounts: [
      { name: 'signer', role: 'READONLY_SIGNER' },
      { name: 'globalConfig', role: 'READONLY' },
      { name: 'lendingMarket', role: 'READONLY' },
      { name: 'reserve', role: 'WRITABLE' },
      { name: 'instructionSysvarAccount', role: 'READONLY' },
    ],
  },
  'farms.addRewards': {
    discriminator: '58ba19e326895117',
    args: [amount, { name: 'rewardIndex', type: 'u64' }],
    accounts: [
      { name: 'payer', role: 'WRITABLE_SIGNER' },
      { name: 'farmState', role: 'WRITABLE' },
      { name: 'rewardMint', role: 'READONLY' },
      { name: 'rewardVault', role: 'WRITABLE' },
      { name: 'farmVaultsAuthority', role: 'READONLY' },
      { name: 'payerRewardTokenAta', role: 'WRITABLE' },
      { name: 'scopePrices', role: 'READONLY', optional: true },
      { name: 'tokenProgram', role: 'READONLY' },
    ],
  },
  'token.mintTo': { data: '07', args: [amount], accounts: tokenRoles.mint },
  'token.mintToChecked': { data: '0e', args: [amount, decimals], accounts: tokenRoles.mint },
  'token.burn': { data: '08', args: [amount], accounts: tokenRoles.burn },
  'token.burnChecked': { data: '0f', args: [amount, decimals], accounts: tokenRoles.burn },
  'token.transferCheckedWithFee': {
    // 26 is the transfer fee extension, 1 its transfer instruction.
    data: '1a01',
    args: [amount, decimals, { name: 'fee', type: 'u64' }],
    accounts: [
      { name: 'source', role: 'WRITABLE' },
      { name: 'mint', role: 'READONLY' },
      { name: 'destination', role: 'WRITABLE' },
      { name: 'authority', role: 'READONLY_SIGNER' },
    ],
  },
  'token.approve': {
    data: '04',
    args: [amount],
    accounts: [
      { name: 'source', role: 'WRITABLE' },
      { name: 'delegate', role: 'READONLY' },
      { name: 'owner', role: 'READONLY_SIGNER' },
    ],
  },
  'token.approveChecked': {
    data: '0d',
    args: [amount, decimals],
    accounts: [
      { name: 'source', role: 'WRITABLE' },
      { name: 'mint', role: 'READONLY' },
      { name: 'delegate', role: 'READONLY' },
      { name: 'owner', role: 'READONLY_SIGNER' },
    ],
  },
  'token.revoke': {
    data: '05',
    args: [],
    accounts: [
      { name: 'source', role: 'WRITABLE' },
      { name: 'owner', role: 'READONLY_SIGNER' },
    ],
  },
  'token.setAuthority': {
    data: '06',
    args: [
      { name: 'authorityType', type: 'u8' },
      { name: 'newAuthority', type: 'u8 count + 32 bytes each' },
    ],
    accounts: [
      { name: 'account', role: 'WRITABLE' },
      { name: 'currentAuthority', role: 'READONLY_SIGNER' },
    ],
  },
  'system.assign': {
    data: '01000000',
    args: [{ name: 'owner', type: 'pubkey' }],
    accounts: [{ name: 'account', role: 'WRITABLE_SIGNER' }],
  },
  'system.advanceNonceAccount': {
    data: '04000000',
    args: [],
    accounts: [
      { name: 'nonceAccount', role: 'WRITABLE' },
      { name: 'recentBlockhashesSysvar', role: 'READONLY' },
      { name: 'nonceAuthority', role: 'READONLY_SIGNER' },
    ],
  },
  'token.initializeAccount3': {
    data: '12',
    args: [{ name: 'owner', type: 'pubkey' }],
    accounts: [
      { name: 'account', role: 'WRITABLE' },
      { name: 'mint', role: 'READONLY' },
    ],
  },
  'system.createAccount': {
    data: '00000000',
    args: [
      { name: 'lamports', type: 'u64' },
      { name: 'space', type: 'u64' },
      { name: 'owner', type: 'pubkey' },
    ],
    accounts: [
      { name: 'from', role: 'WRITABLE_SIGNER' },
      { name: 'to', role: 'WRITABLE_SIGNER' },
    ],
  },
};

/** If a program repeats a name, the codec prefixes it with its group. */
const groupPrefixes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  repayAndWithdrawAndRedeem: {
    withdrawAccounts: 'withdraw',
    collateralFarmsAccounts: 'collateral',
    debtFarmsAccounts: 'debt',
  },
  depositAndWithdraw: {
    withdrawAccounts: 'withdraw',
    depositFarmsAccounts: 'deposit',
    withdrawFarmsAccounts: 'withdraw',
  },
  liquidateObligationAndRedeemReserveCollateralV2: {
    collateralFarmsAccounts: 'collateral',
    debtFarmsAccounts: 'debt',
  },
  rolloverFixedTermBorrow: {
    sourceFarmsAccounts: 'source',
    targetFarmsAccounts: 'target',
  },
};

const namesByIndex: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  withdraw: { 14: 'reserveVaultState', 23: 'outerEventAuthority', 24: 'outerProgram' },
  sell: { 14: 'reserveVaultState', 23: 'outerEventAuthority', 24: 'outerProgram' },
};

/** The codec's name of a published account. */
export function codecAccountName(
  instruction: string,
  { name, group = '' }: AccountSpec,
  index: number,
): string {
  const prefix = groupPrefixes[instruction]?.[group];
  if (prefix === undefined) return namesByIndex[instruction]?.[index] ?? name;
  return name.startsWith(prefix)
    ? name
    : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export function publishedInstruction(program: string, name: string): InstructionSpec {
  const instructions = published.programs[program]?.instructions;
  const label = `${program}.${name}`;
  // The table describes this one only as having the accounts of the other.
  const spec =
    label === 'associatedToken.create'
      ? { args: [], accounts: [], ...instructions?.['createIdempotent'], data: '00' }
      : (instructions?.[name] ?? additionalSpecs[label]);
  if (spec === undefined) throw new Error(`no published instruction ${label}`);
  return spec;
}

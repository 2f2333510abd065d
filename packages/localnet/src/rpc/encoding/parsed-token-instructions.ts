import {
  ACCOUNT_OWNER,
  approve,
  approveChecked,
  burn,
  burnChecked,
  CLOSE_ACCOUNT,
  closeAccount,
  freezeAccount,
  initializeAccount3,
  initializeImmutableOwner,
  initializeMint2,
  mintTo,
  mintToChecked,
  revoke,
  setAuthority,
  syncNative,
  thawAccount,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '@tidegate/core/protocol/spl/instructions';
import type { JsonFields } from '../json.ts';
import { createInstructionParser, type InstructionParser } from './instruction-parser.ts';
import { tokenAmountJson } from './token-amount.ts';

type AmountArgs = { readonly args: { readonly amount: bigint } };
type CheckedAmountArgs = { readonly args: { readonly amount: bigint; readonly decimals: number } };

const amount = ({ args }: AmountArgs): JsonFields => ({ amount: args.amount.toString() });
const checked = ({ args }: CheckedAmountArgs): JsonFields => ({
  tokenAmount: tokenAmountJson(args.amount, args.decimals),
});

const AUTHORITY = ['authority', 'multisigAuthority'] as const;
const OWNER = ['owner', 'multisigOwner'] as const;
const MINT_AUTHORITY = ['mintAuthority', 'multisigMintAuthority'] as const;
const FREEZE_AUTHORITY = ['freezeAuthority', 'multisigFreezeAuthority'] as const;

/** By authority type. */
const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
];

/** Transfers, minting and burning, of both token programs. */
const transferParsers: readonly InstructionParser[] = [
  createInstructionParser(tokenTransfer, {
    type: 'transfer',
    accounts: ['source', 'destination'],
    signer: AUTHORITY,
    rest: amount,
  }),
  createInstructionParser(transferChecked, {
    type: 'transferChecked',
    accounts: ['source', 'mint', 'destination'],
    signer: AUTHORITY,
    rest: checked,
  }),
  createInstructionParser(transferCheckedWithFee, {
    type: 'transferCheckedWithFee',
    accounts: ['source', 'mint', 'destination'],
    signer: AUTHORITY,
    rest: ({ args }) => ({
      ...checked({ args }),
      feeAmount: tokenAmountJson(args.fee, args.decimals),
    }),
  }),
  createInstructionParser(mintTo, {
    type: 'mintTo',
    accounts: ['mint', 'account'],
    signer: MINT_AUTHORITY,
    rest: amount,
  }),
  createInstructionParser(mintToChecked, {
    type: 'mintToChecked',
    accounts: ['mint', 'account'],
    signer: MINT_AUTHORITY,
    rest: checked,
  }),
  createInstructionParser(burn, {
    type: 'burn',
    accounts: ['account', 'mint'],
    signer: AUTHORITY,
    rest: amount,
  }),
  createInstructionParser(burnChecked, {
    type: 'burnChecked',
    accounts: ['account', 'mint'],
    signer: AUTHORITY,
    rest: checked,
  }),
];

const authorityParsers: readonly InstructionParser[] = [
  createInstructionParser(approve, {
    type: 'approve',
    accounts: ['source', 'delegate'],
    signer: OWNER,
    rest: amount,
  }),
  createInstructionParser(approveChecked, {
    type: 'approveChecked',
    accounts: ['source', 'mint', 'delegate'],
    signer: OWNER,
    rest: checked,
  }),
  createInstructionParser(revoke, { type: 'revoke', accounts: ['source'], signer: OWNER }),
  createInstructionParser(freezeAccount, {
    type: 'freezeAccount',
    accounts: ['account', 'mint'],
    signer: FREEZE_AUTHORITY,
  }),
  createInstructionParser(thawAccount, {
    type: 'thawAccount',
    accounts: ['account', 'mint'],
    signer: FREEZE_AUTHORITY,
  }),
  createSetAuthorityParser(),
];

const accountParsers: readonly InstructionParser[] = [
  createInstructionParser(closeAccount, {
    type: 'closeAccount',
    accounts: ['account', 'destination'],
    signer: OWNER,
  }),
  createInstructionParser(syncNative, { type: 'syncNative', accounts: ['account'] }),
  createInstructionParser(initializeAccount3, {
    type: 'initializeAccount3',
    accounts: ['account', 'mint'],
    rest: ({ args }) => ({ owner: args.owner }),
  }),
  createInstructionParser(initializeImmutableOwner, {
    type: 'initializeImmutableOwner',
    accounts: ['account'],
  }),
  createInstructionParser(initializeMint2, {
    type: 'initializeMint2',
    accounts: ['mint'],
    rest: ({ args, list: [freezeAuthority] }) => ({ ...args, freezeAuthority }),
  }),
];

export const tokenInstructionParsers: readonly InstructionParser[] = [
  ...transferParsers,
  ...authorityParsers,
  ...accountParsers,
];

/** The first account is named by its type. */
function createSetAuthorityParser(): InstructionParser {
  const parser = createInstructionParser(setAuthority, {
    type: 'setAuthority',
    accounts: ['account'],
    signer: AUTHORITY,
    rest: ({ args, list: [newAuthority] }) => ({
      authorityType: AUTHORITY_TYPES[args.authorityType],
      newAuthority: newAuthority ?? null,
    }),
  });
  return {
    discriminator: parser.discriminator,
    parse(program, accounts, data) {
      const parsed = parser.parse(program, accounts, data);
      const [, kind] = data;
      if (parsed === undefined || parsed.info['authorityType'] === undefined) return undefined;
      if (kind === ACCOUNT_OWNER || kind === CLOSE_ACCOUNT) return parsed;
      const { account: mint, ...rest } = parsed.info;
      return { type: parsed.type, info: { mint, ...rest } };
    },
  };
}

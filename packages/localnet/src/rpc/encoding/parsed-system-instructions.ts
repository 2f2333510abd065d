import {
  advanceNonceAccount,
  allocate,
  assign,
  createAccount,
  createAssociatedToken,
  createAssociatedTokenIdempotent,
  createAssociatedTokenWithoutData,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import { createInstructionParser, type InstructionParser } from './instruction-parser.ts';

export const systemInstructionParsers: readonly InstructionParser[] = [
  createInstructionParser(createAccount, {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    rest: ({ args }) => ({ ...args }),
  }),
  createInstructionParser(assign, {
    type: 'assign',
    accounts: ['account'],
    rest: ({ args }) => ({ ...args }),
  }),
  createInstructionParser(systemTransfer, {
    type: 'transfer',
    accounts: ['source', 'destination'],
    rest: ({ args }) => ({ ...args }),
  }),
  createInstructionParser(allocate, {
    type: 'allocate',
    accounts: ['account'],
    rest: ({ args }) => ({ ...args }),
  }),
  createInstructionParser(advanceNonceAccount, {
    type: 'advanceNonce',
    accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'],
  }),
];

const createAccounts = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];

export const associatedTokenInstructionParsers: readonly InstructionParser[] = [
  createInstructionParser(createAssociatedToken, { type: 'create', accounts: createAccounts }),
  createInstructionParser(createAssociatedTokenWithoutData, {
    type: 'create',
    accounts: createAccounts,
  }),
  createInstructionParser(createAssociatedTokenIdempotent, {
    type: 'createIdempotent',
    accounts: createAccounts,
  }),
];

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
import { type CallReader, callReader } from './instruction-parser.ts';

export const systemReaders: readonly CallReader[] = [
  callReader(createAccount, {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    rest: ({ args }) => ({ ...args }),
  }),
  callReader(assign, { type: 'assign', accounts: ['account'], rest: ({ args }) => ({ ...args }) }),
  callReader(systemTransfer, {
    type: 'transfer',
    accounts: ['source', 'destination'],
    rest: ({ args }) => ({ ...args }),
  }),
  callReader(allocate, {
    type: 'allocate',
    accounts: ['account'],
    rest: ({ args }) => ({ ...args }),
  }),
  callReader(advanceNonceAccount, {
    type: 'advanceNonce',
    accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'],
  }),
];

const created = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];

export const associatedTokenReaders: readonly CallReader[] = [
  callReader(createAssociatedToken, { type: 'create', accounts: created }),
  callReader(createAssociatedTokenWithoutData, { type: 'create', accounts: created }),
  callReader(createAssociatedTokenIdempotent, { type: 'createIdempotent', accounts: created }),
];

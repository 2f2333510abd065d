import { advanceNonceAccount } from '../../protocol/spl/instructions/advance-nonce-account.ts';
import { allocate } from '../../protocol/spl/instructions/allocate.ts';
import { assign } from '../../protocol/spl/instructions/assign.ts';
import { createAccount } from '../../protocol/spl/instructions/create-account.ts';
import {
  createAssociatedToken,
  createAssociatedTokenWithoutData,
} from '../../protocol/spl/instructions/create-associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/create-associated-token-idempotent.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-transfer.ts';
import { type CallReader, callReader } from './parsed-call.ts';

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

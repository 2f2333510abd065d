import type { Address } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  allocate,
  assign,
  createAccount,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { createNativeProgram, nativeHandler } from '../framework/native-program.ts';

const UNITS = 150;
const MAX_SPACE = 10n * 1024n * 1024n;

/** Custom errors. */
const ACCOUNT_ALREADY_IN_USE = 0;
const RESULT_WITH_NEGATIVE_LAMPORTS = 1;
const INVALID_ACCOUNT_DATA_LENGTH = 3;

/** Owns wallets and creates accounts for other programs. */
export const systemProgram = createNativeProgram({
  isBuiltin: true,
  rejectionUnits: UNITS,
  handlers: [
    nativeHandler(createAccount, UNITS, ({ accounts: { from, to }, args }, call) => {
      if (call.account(to).lamports > 0n) {
        call.logRaw(`Create Account: account ${formatAddress(to)} already in use`);
        throw customError(ACCOUNT_ALREADY_IN_USE);
      }
      allocateSpace(call, to, args.space);
      assignTo(call, to, args.owner);
      transferLamports(call, { from, to, lamports: args.lamports });
    }),
    nativeHandler(assign, UNITS, ({ accounts, args }, call) => {
      assignTo(call, accounts.account, args.owner);
    }),
    nativeHandler(systemTransfer, UNITS, ({ accounts, args }, call) => {
      transferLamports(call, { ...accounts, lamports: args.lamports });
    }),
    nativeHandler(allocate, UNITS, ({ accounts, args }, call) => {
      allocateSpace(call, accounts.account, args.space);
    }),
  ],
});

function allocateSpace(call: InvokeContext, address: Address, space: bigint): void {
  if (!call.isSigner(address)) {
    call.logRaw(`Allocate: 'to' account ${formatAddress(address)} must sign`);
    throw new ProgramFailure('MissingRequiredSignature');
  }
  const { data, owner } = call.account(address);
  if (data.length > 0 || owner !== SYSTEM_PROGRAM) {
    call.logRaw(`Allocate: account ${formatAddress(address)} already in use`);
    throw customError(ACCOUNT_ALREADY_IN_USE);
  }
  if (space > MAX_SPACE) {
    call.logRaw(`Allocate: requested ${space}, max allowed ${MAX_SPACE}`);
    throw customError(INVALID_ACCOUNT_DATA_LENGTH);
  }
  call.updateAccount(address, { data: new Uint8Array(Number(space)) });
}

function assignTo(call: InvokeContext, address: Address, owner: Address): void {
  if (call.account(address).owner === owner) return;
  if (!call.isSigner(address)) {
    call.logRaw(`Assign: account ${formatAddress(address)} must sign`);
    throw new ProgramFailure('MissingRequiredSignature');
  }
  call.updateAccount(address, { owner });
}

type LamportsTransfer = { readonly from: Address; readonly to: Address; readonly lamports: bigint };

function transferLamports(call: InvokeContext, { from, to, lamports }: LamportsTransfer): void {
  if (!call.isSigner(from)) {
    call.logRaw(`Transfer: \`from\` account ${from} must sign`);
    throw new ProgramFailure('MissingRequiredSignature');
  }
  const source = call.account(from);
  if (source.data.length > 0) {
    call.logRaw('Transfer: `from` must not carry data');
    throw new ProgramFailure('InvalidArgument');
  }
  if (lamports > source.lamports) {
    call.logRaw(`Transfer: insufficient lamports ${source.lamports}, need ${lamports}`);
    throw customError(RESULT_WITH_NEGATIVE_LAMPORTS);
  }
  call.updateAccount(from, { lamports: source.lamports - lamports });
  call.updateAccount(to, { lamports: call.account(to).lamports + lamports });
}

/** The program's notation of an address that may be derived from another. */
const formatAddress = (address: Address): string => `Address { address: ${address}, base: None }`;

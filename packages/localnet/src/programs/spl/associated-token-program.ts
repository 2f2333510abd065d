import { type Address, concatBytes, toLamports } from '@tidegate/core/base';
import {
  associatedTokenAddress,
  rentExemptLamports,
  SYSTEM_PROGRAM,
} from '@tidegate/core/protocol/spl';
import {
  createAccount,
  createAssociatedToken,
  createAssociatedTokenIdempotent,
  createAssociatedTokenWithoutData,
  getAccountDataSize,
  initializeAccount3,
  initializeImmutableOwner,
} from '@tidegate/core/protocol/spl/instructions';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError, ProgramFailure } from '../../runtime/transaction-errors.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import { createFundedAccount } from '../framework/fund-account.ts';
import { createNativeProgram, nativeHandler } from '../framework/native-program.ts';

/** Mostly the search for the address; each further bump takes 1500. */
const LOOKUP_UNITS = 5_838;
const CREATE_UNITS = 8_480;

/** The program's only custom error. */
const INVALID_OWNER = 0;

/** Every associated Token-2022 account has this extension. */
const IMMUTABLE_OWNER = Uint8Array.of(7, 0);

type CreateAccounts = {
  readonly payer: Address;
  readonly ata: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** Creates the associated token account of an owner and a mint. */
export const associatedTokenProgram = createNativeProgram({
  rejectionUnits: LOOKUP_UNITS,
  handlers: [
    nativeHandler(createAssociatedTokenWithoutData, LOOKUP_UNITS, ({ accounts }, call) =>
      createNew(call, accounts),
    ),
    nativeHandler(createAssociatedToken, LOOKUP_UNITS, ({ accounts }, call) =>
      createNew(call, accounts),
    ),
    nativeHandler(createAssociatedTokenIdempotent, LOOKUP_UNITS, ({ accounts }, call) => {
      call.log('CreateIdempotent');
      requireDerived(call, accounts);
      if (!isExisting(call, accounts)) create(call, accounts);
    }),
  ],
});

function createNew(call: InvokeContext, request: CreateAccounts): void {
  call.log('Create');
  requireDerived(call, request);
  create(call, request);
}

function requireDerived(
  call: InvokeContext,
  { ata, owner, mint, tokenProgram }: CreateAccounts,
): void {
  if (ata === associatedTokenAddress(owner, mint, tokenProgram)) return;
  call.log('Error: Associated address does not match seed derivation');
  throw new ProgramFailure('InvalidSeeds');
}

function isExisting(
  call: InvokeContext,
  { ata, owner, mint, tokenProgram }: CreateAccounts,
): boolean {
  const account = call.account(ata);
  if (account.owner !== tokenProgram || !tokenAccount.matches(account)) return false;
  const token = decodeCached(tokenAccount, account);
  if (token.owner !== owner) {
    call.log('Error: Associated token account owner does not match address derivation');
    throw customError(INVALID_OWNER);
  }
  if (token.mint !== mint) throw new ProgramFailure('InvalidAccountData');
  return true;
}

function create(call: InvokeContext, request: CreateAccounts): void {
  const { ata, owner, mint, tokenProgram } = request;
  call.consumeUnits(CREATE_UNITS);
  if (call.account(ata).owner !== SYSTEM_PROGRAM) throw new ProgramFailure('IllegalOwner');
  allocateAccount(call, request, requiredSize(call, request));
  call.log('Initialize the associated token account');
  call.invoke(
    initializeImmutableOwner.build(tokenProgram, { accounts: { account: ata }, args: {} }),
  );
  const accounts = { account: ata, mint };
  call.invoke(initializeAccount3.build(tokenProgram, { accounts, args: { owner } }));
}

function requiredSize(call: InvokeContext, { mint, tokenProgram }: CreateAccounts): number {
  const request = getAccountDataSize.build(tokenProgram, { accounts: { mint }, args: {} });
  const returnData = call.invoke({
    ...request,
    data: concatBytes([request.data, IMMUTABLE_OWNER]),
  });
  if (returnData === undefined || returnData.length !== 8)
    throw new ProgramFailure('InvalidInstructionData');
  return Number(new DataView(returnData.buffer, returnData.byteOffset).getBigUint64(0, true));
}

/** `createAccount` would fail for an address that already has lamports. */
function allocateAccount(
  call: InvokeContext,
  { payer, ata, tokenProgram }: CreateAccounts,
  size: number,
): void {
  if (call.account(ata).lamports > 0n) {
    createFundedAccount(call, { payer, account: ata, size, owner: tokenProgram });
    return;
  }
  const args = {
    lamports: toLamports(rentExemptLamports(size)),
    space: BigInt(size),
    owner: tokenProgram,
  };
  const accounts = { from: payer, to: ata };
  call.invoke(createAccount.build(SYSTEM_PROGRAM, { accounts, args }), [ata]);
}

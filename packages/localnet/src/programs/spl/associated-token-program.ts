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

/** Most of it is the search for the address; one more step of it takes 1500. */
const UNITS_TO_LOOK = 5_838;
const UNITS_TO_CREATE = 8_480;

/** The program's only error of its own. */
const INVALID_OWNER = 0;

/** The extension that every associated account of Token-2022 has. */
const IMMUTABLE_OWNER = Uint8Array.of(7, 0);

type Named = {
  readonly payer: Address;
  readonly ata: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** Makes the one account of a token that every owner has an address for. */
export const associatedTokenProgram = createNativeProgram({
  unitsToRefuse: UNITS_TO_LOOK,
  handlers: [
    nativeHandler(createAssociatedTokenWithoutData, UNITS_TO_LOOK, ({ accounts }, call) =>
      createNew(call, accounts),
    ),
    nativeHandler(createAssociatedToken, UNITS_TO_LOOK, ({ accounts }, call) =>
      createNew(call, accounts),
    ),
    nativeHandler(createAssociatedTokenIdempotent, UNITS_TO_LOOK, ({ accounts }, call) => {
      call.log('CreateIdempotent');
      requireDerived(call, accounts);
      if (!isThere(call, accounts)) create(call, accounts);
    }),
  ],
});

function createNew(call: InvokeContext, named: Named): void {
  call.log('Create');
  requireDerived(call, named);
  create(call, named);
}

function requireDerived(call: InvokeContext, { ata, owner, mint, tokenProgram }: Named): void {
  if (ata === associatedTokenAddress(owner, mint, tokenProgram)) return;
  call.log('Error: Associated address does not match seed derivation');
  throw new ProgramFailure('InvalidSeeds');
}

function isThere(call: InvokeContext, { ata, owner, mint, tokenProgram }: Named): boolean {
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

function create(call: InvokeContext, named: Named): void {
  const { ata, owner, mint, tokenProgram } = named;
  call.consume(UNITS_TO_CREATE);
  if (call.account(ata).owner !== SYSTEM_PROGRAM) throw new ProgramFailure('IllegalOwner');
  open(call, named, sizeFor(call, named));
  call.log('Initialize the associated token account');
  call.invoke(
    initializeImmutableOwner.build(tokenProgram, { accounts: { account: ata }, args: {} }),
  );
  const accounts = { account: ata, mint };
  call.invoke(initializeAccount3.build(tokenProgram, { accounts, args: { owner } }));
}

function sizeFor(call: InvokeContext, { mint, tokenProgram }: Named): number {
  const asked = getAccountDataSize.build(tokenProgram, { accounts: { mint }, args: {} });
  const answer = call.invoke({ ...asked, data: concatBytes([asked.data, IMMUTABLE_OWNER]) });
  if (answer === undefined || answer.length !== 8)
    throw new ProgramFailure('InvalidInstructionData');
  return Number(new DataView(answer.buffer, answer.byteOffset).getBigUint64(0, true));
}

/** At an address where lamports lie already, `createAccount` would fail. */
function open(call: InvokeContext, { payer, ata, tokenProgram }: Named, size: number): void {
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

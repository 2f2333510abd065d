import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  type Mint,
  mint as mintKind,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { readAccount, writeAccount, writeEncodedAccount } from '../../../runtime/typed-accounts.ts';

export const INITIALIZED = 1;
export const FROZEN = 2;

export const isToken2022 = (call: InvokeContext): boolean => call.program === TOKEN_2022_PROGRAM;

/**
 * The Token program checks only the size when reading; an account of another program fails when it
 * is written. Token-2022 checks the owner first.
 */
export function readTokenAccount(call: InvokeContext, address: Address): TokenAccount {
  requireReadable(call, address, tokenAccount.size);
  return readAccount(call, tokenAccount, address);
}

export function readMint(call: InvokeContext, address: Address): Mint {
  requireReadable(call, address, mintKind.size);
  return readAccount(call, mintKind, address);
}

export function writeTokenAccount(
  call: InvokeContext,
  address: Address,
  fields: TokenAccount,
): void {
  writeAccount(call, tokenAccount, { address, fields });
}

export function writeMint(call: InvokeContext, address: Address, fields: Mint): void {
  writeAccount(call, mintKind, { address, fields });
}

/** Writes only the numbers if nothing else changes: encoding the keys costs most. */
export function writeBalance(call: InvokeContext, address: Address, fields: TokenAccount): void {
  const before = readTokenAccount(call, address);
  const isSame = before.delegate === fields.delegate && before.extensions === fields.extensions;
  if (!isSame) {
    writeTokenAccount(call, address, fields);
    return;
  }
  const data = call.account(address).data.slice();
  const target = new DataView(data.buffer);
  const { offsets } = tokenAccount;
  target.setBigUint64(offsets.amount, fields.amount, true);
  target.setUint32(offsets.delegateTag, fields.delegateTag, true);
  target.setBigUint64(offsets.delegatedAmount, fields.delegatedAmount, true);
  writeEncodedAccount(call, { address, fields, data });
}

/** Writes the supply of a mint whose other fields stay. */
export function writeSupply(call: InvokeContext, address: Address, fields: Mint): void {
  const data = call.account(address).data.slice();
  new DataView(data.buffer).setBigUint64(mintKind.offsets.supply, fields.supply, true);
  writeEncodedAccount(call, { address, fields, data });
}

/** For instructions that check the owner even if they change nothing. */
export function requireProgramOwned(call: InvokeContext, address: Address): void {
  if (call.account(address).owner !== call.program) throw new ProgramFailure('IncorrectProgramId');
}

export const isFrozen = ({ state }: TokenAccount): boolean => state === FROZEN;

/** Wrapped SOL: the tokens are lamports of the account. */
export const isNative = ({ isNativeTag }: TokenAccount): boolean => isNativeTag === 1;

export const delegateOf = ({ delegateTag, delegate }: TokenAccount): Address | undefined =>
  delegateTag === 1 ? delegate : undefined;

/** The Token program leaves the key after the tag. */
export function withoutDelegate(call: InvokeContext, account: TokenAccount): TokenAccount {
  return { ...account, delegateTag: 0, delegate: clearedKey(call, account.delegate) };
}

/** An optional key as the program writes it over `before`. */
export function toOptionalKey(call: InvokeContext, before: Address, next: Address | undefined) {
  return next === undefined ? { tag: 0, key: clearedKey(call, before) } : { tag: 1, key: next };
}

const clearedKey = (call: InvokeContext, before: Address): Address =>
  isToken2022(call) ? ZERO_ADDRESS : before;

function requireReadable(call: InvokeContext, address: Address, size: number): void {
  if (isToken2022(call)) requireProgramOwned(call, address);
  else if (call.account(address).data.length !== size) {
    throw new ProgramFailure('InvalidAccountData');
  }
}

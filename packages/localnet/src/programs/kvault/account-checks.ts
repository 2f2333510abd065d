import {
  type AccountCodec,
  type Address,
  bytesEqual,
  CodedError,
  type Decoded,
  type Lamports,
  type Shape,
  type Struct,
  toLamports,
  u64,
} from '@tidegate/core/base';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  type Mint,
  mint,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type Failure = Parameters<typeof anchorFailure>[1];

/** What a token account must be of, where it is asked for. */
type TokenTerms = {
  readonly authority?: Address;
  readonly mint?: Address;
  readonly tokenProgram?: Address;
};

/** The framework's checks on the accounts of one call, each by the name of its slot. */
export type AccountChecks<Name extends string> = {
  demand(met: boolean, failure: Failure, name: Name): void;
  address(name: Name, expected: Address): void;
  /** At the address that its seeds give. */
  seeds(name: Name, expected: Address): void;
  program(name: Name, ...expected: readonly Address[]): void;
  /** An account of one program's layout. */
  load<S extends Shape>(name: Name, kind: AccountCodec<S>, owner: Address): Decoded<Struct<S>>;
  /** A mint or token account of either token program. */
  mint(name: Name): Pick<Mint, 'decimals'>;
  token(name: Name): Pick<TokenAccount, 'mint' | 'owner' | 'amount'>;
  tokenTerms(name: Name, terms: TokenTerms): void;
};

export function accountChecks<Name extends string>(
  call: InvokeContext,
  accounts: { readonly [N in Name]: Address | undefined },
): AccountChecks<Name> {
  const at = (name: Name) => call.account(given(name));

  function given(name: Name): Address {
    const address = accounts[name];
    if (address === undefined) throw anchorFailure(call, 'AccountNotEnoughKeys', name);
    return address;
  }

  function demand(met: boolean, failure: Failure, name: Name): void {
    if (!met) throw anchorFailure(call, failure, name);
  }

  function viewed<Fields>(name: Name, kind: { view(account: ReturnType<typeof at>): Fields }) {
    const account = at(name);
    const isMissing = account.owner === SYSTEM_PROGRAM && account.lamports === 0n;
    demand(!isMissing, 'AccountNotInitialized', name);
    demand(TOKEN_PROGRAMS.includes(account.owner), 'AccountOwnedByWrongProgram', name);
    return readable(() => kind.view(account));
  }

  return {
    demand,
    address: (name, expected) => demand(accounts[name] === expected, 'ConstraintAddress', name),
    seeds: (name, expected) => demand(accounts[name] === expected, 'ConstraintSeeds', name),
    program: (name, ...expected) =>
      demand(expected.includes(given(name)), 'InvalidProgramId', name),
    load: (name, kind, owner) => loadAccount(call, kind, { address: given(name), owner, name }),
    mint: (name) => viewed(name, mint),
    token: (name) => viewed(name, tokenAccount),
    tokenTerms(name, { authority, mint: ofMint, tokenProgram }) {
      const { owner, mint: itsMint } = tokenAccount.view(at(name));
      demand(authority === undefined || owner === authority, 'ConstraintTokenOwner', name);
      demand(ofMint === undefined || itsMint === ofMint, 'ConstraintTokenMint', name);
      const isOf = tokenProgram === undefined || at(name).owner === tokenProgram;
      demand(isOf, 'ConstraintTokenTokenProgram', name);
    },
  };
}

type Loadable = { readonly address: Address; readonly owner: Address; readonly name?: string };

/** An account of one program's layout: its owner is looked at first, then its first bytes. */
export function loadAccount<S extends Shape>(
  call: InvokeContext,
  kind: AccountCodec<S>,
  { address, owner, name }: Loadable,
): Decoded<Struct<S>> {
  const account = call.account(address);
  if (account.owner !== owner) throw anchorFailure(call, 'AccountOwnedByWrongProgram', name);
  const start = account.data.subarray(0, kind.discriminator.length);
  if (start.length < kind.discriminator.length) {
    throw anchorFailure(call, 'AccountDiscriminatorNotFound', name);
  }
  if (!bytesEqual(start, kind.discriminator)) {
    throw anchorFailure(call, 'AccountDiscriminatorMismatch', name);
  }
  return readAccount(call, kind, address);
}

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** The balance, read where a token account has it, whatever the account is. */
export function tokenAmountOf(call: InvokeContext, address: Address): Lamports {
  const { data } = call.account(address);
  const at = tokenAccount.offsets.amount;
  if (data.length < at + u64.size) throw new ProgramFailure('ProgramFailedToComplete');
  return toLamports(new DataView(data.buffer, data.byteOffset).getBigUint64(at, true));
}

/** Bytes that are none of a token program's accounts. */
function readable<Fields>(read: () => Fields): Fields {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new ProgramFailure('InvalidAccountData');
  }
}

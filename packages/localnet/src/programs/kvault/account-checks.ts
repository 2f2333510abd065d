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

/** Constraints of a token account; undefined ones are not checked. */
type TokenConstraints = {
  readonly authority?: Address;
  readonly mint?: Address;
  readonly tokenProgram?: Address;
};

/** Anchor's account checks of one call, by account name. */
export type AccountChecks<Name extends string> = {
  require(isMet: boolean, failure: Failure, name: Name): void;
  address(name: Name, expected: Address): void;
  /** Checks the address against its seeds. */
  seeds(name: Name, expected: Address): void;
  program(name: Name, ...expected: readonly Address[]): void;
  /** Loads an account of one program's layout. */
  load<S extends Shape>(name: Name, codec: AccountCodec<S>, owner: Address): Decoded<Struct<S>>;
  /** Loads a mint or token account of either token program. */
  mint(name: Name): Pick<Mint, 'decimals'>;
  token(name: Name): Pick<TokenAccount, 'mint' | 'owner' | 'amount'>;
  tokenTerms(name: Name, terms: TokenConstraints): void;
};

export function accountChecks<Name extends string>(
  call: InvokeContext,
  accounts: { readonly [N in Name]: Address | undefined },
): AccountChecks<Name> {
  const accountAt = (name: Name) => call.account(addressOf(name));

  function addressOf(name: Name): Address {
    const address = accounts[name];
    if (address === undefined) throw anchorFailure(call, 'AccountNotEnoughKeys', name);
    return address;
  }

  function requireThat(isMet: boolean, failure: Failure, name: Name): void {
    if (!isMet) throw anchorFailure(call, failure, name);
  }

  function viewAccount<Fields>(
    name: Name,
    codec: { view(account: ReturnType<typeof accountAt>): Fields },
  ) {
    const account = accountAt(name);
    const isMissing = account.owner === SYSTEM_PROGRAM && account.lamports === 0n;
    requireThat(!isMissing, 'AccountNotInitialized', name);
    requireThat(TOKEN_PROGRAMS.includes(account.owner), 'AccountOwnedByWrongProgram', name);
    return viewOrFail(() => codec.view(account));
  }

  return {
    require: requireThat,
    address: (name, expected) =>
      requireThat(accounts[name] === expected, 'ConstraintAddress', name),
    seeds: (name, expected) => requireThat(accounts[name] === expected, 'ConstraintSeeds', name),
    program: (name, ...expected) =>
      requireThat(expected.includes(addressOf(name)), 'InvalidProgramId', name),
    load: (name, codec, owner) =>
      loadAccount(call, codec, { address: addressOf(name), owner, name }),
    mint: (name) => viewAccount(name, mint),
    token: (name) => viewAccount(name, tokenAccount),
    tokenTerms(name, { authority, mint: requiredMint, tokenProgram }) {
      const { owner, mint: accountMint } = tokenAccount.view(accountAt(name));
      requireThat(authority === undefined || owner === authority, 'ConstraintTokenOwner', name);
      requireThat(
        requiredMint === undefined || accountMint === requiredMint,
        'ConstraintTokenMint',
        name,
      );
      const isOwned = tokenProgram === undefined || accountAt(name).owner === tokenProgram;
      requireThat(isOwned, 'ConstraintTokenTokenProgram', name);
    },
  };
}

type AccountRef = { readonly address: Address; readonly owner: Address; readonly name?: string };

/** Loads an account of one program's layout. Checks the owner first, then the discriminator. */
export function loadAccount<S extends Shape>(
  call: InvokeContext,
  codec: AccountCodec<S>,
  { address, owner, name }: AccountRef,
): Decoded<Struct<S>> {
  const account = call.account(address);
  if (account.owner !== owner) throw anchorFailure(call, 'AccountOwnedByWrongProgram', name);
  const start = account.data.subarray(0, codec.discriminator.length);
  if (start.length < codec.discriminator.length) {
    throw anchorFailure(call, 'AccountDiscriminatorNotFound', name);
  }
  if (!bytesEqual(start, codec.discriminator)) {
    throw anchorFailure(call, 'AccountDiscriminatorMismatch', name);
  }
  return readAccount(call, codec, address);
}

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Reads the balance at its offset in a token account, without checking the account type. */
export function tokenAmountOf(call: InvokeContext, address: Address): Lamports {
  const { data } = call.account(address);
  const offset = tokenAccount.offsets.amount;
  if (data.length < offset + u64.size) throw new ProgramFailure('ProgramFailedToComplete');
  return toLamports(new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true));
}

/** Data of another account type. */
function viewOrFail<Fields>(read: () => Fields): Fields {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new ProgramFailure('InvalidAccountData');
  }
}

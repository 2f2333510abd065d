import {
  type AccountCodec,
  type AccountMeta,
  type Address,
  bytesEqual,
  type Decoded,
  type Lamports,
  READ,
  type Shape,
  SIGN,
  type Struct,
  toLamports,
  u64,
  WRITE,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { refreshReservesBatch } from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { type CTokenExchangeRate, ctokenExchangeRate } from '@tidegate/core/protocol/klend/math';
import { kvaultRejection, type VaultRules } from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import type { VaultContext } from '@tidegate/core/protocol/kvault/operations';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  type Mint,
  mint,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { CodedError } from '../../errors/index.ts';
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
type AccountChecks<Name extends string> = {
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

type LinkedAccount =
  | 'baseVaultAuthority'
  | 'tokenVault'
  | 'tokenMint'
  | 'tokenProgram'
  | 'sharesMint'
  | 'vaultAdminAuthority';

/** Accounts of an instruction that the vault refers to; undefined ones are not checked. */
type LinkedAccounts = { readonly [Name in LinkedAccount]?: Address };

const LINKED_ACCOUNTS: readonly LinkedAccount[] = [
  'baseVaultAuthority',
  'tokenVault',
  'tokenMint',
  'tokenProgram',
  'sharesMint',
  'vaultAdminAuthority',
];

export function requireVaultAccounts(
  call: InvokeContext,
  vault: VaultState,
  accounts: LinkedAccounts,
): void {
  const isOther = (name: LinkedAccount) =>
    accounts[name] !== undefined && accounts[name] !== vault[name];
  if (LINKED_ACCOUNTS.some(isOther)) throw anchorFailure(call, 'ConstraintHasOne', 'vaultState');
}

type PermissionedCall = {
  readonly vault: Pick<VaultState, 'permissioningAuthority'>;
  readonly remaining: readonly Address[];
  readonly rules: VaultRules;
};

/**
 * The remaining accounts without the vault's permissioning authority, which must be the last one and sign. All of them
 * if the vault has none.
 */
export function checkPermissioningAuthority(
  call: InvokeContext,
  { vault, remaining, rules }: PermissionedCall,
): readonly Address[] {
  const { permissioningAuthority: authority } = vault;
  if (rules.permissioning === 'none' || authority === ZERO_ADDRESS) return remaining;
  if (remaining.at(-1) !== authority) {
    const reason = `the last account is not the permissioning authority ${authority}`;
    throw kvaultRejection('InvalidPermissioningAuthority', reason);
  }
  const role = call.metas.at(-1)?.role ?? 0;
  if ((role & SIGN) === 0) throw anchorFailure(call, 'AccountNotSigner');
  return remaining.slice(0, -1);
}

/**
 * A vault, and the instruction's remaining accounts: its reserves in allocation order, then their
 * markets.
 */
type VaultReserveAccounts = {
  readonly vault: Pick<VaultState, 'vaultAllocationStrategy'>;
  readonly remaining: readonly Address[];
  readonly rules: VaultRules;
};

/** Accrues interest up to this slot; prices stay. */
export function refreshVaultReserves(call: InvokeContext, listed: VaultReserveAccounts): void {
  const { vault, remaining, rules } = listed;
  const count = usedAllocations(vault).length;
  if (count === 0) return;
  const comparesFirst = rules.reserveListOrder === 'compare first';
  if (comparesFirst) compareReserves(call, listed);
  const reserves = remaining.slice(0, count);
  const metas = reserves.flatMap((address): AccountMeta[] => [
    { address, role: WRITE },
    { address: reserveAt(call, address).lendingMarket, role: READ },
  ]);
  if (reserves.length < count) {
    const reason = `${reserves.length} of the vault’s ${count} reserves are given`;
    throw kvaultRejection('MissingReserveForBatchRefresh', reason);
  }
  const batch = { accounts: {}, args: { skipPriceUpdates: 1 }, remaining: metas };
  call.invoke(refreshReservesBatch.build(KLEND_PROGRAM, batch));
  if (comparesFirst) readVaultContext(call, listed);
}

/** Each allocation needs its reserve. Any other type of account makes the program panic. */
function compareReserves(call: InvokeContext, { vault, remaining }: VaultReserveAccounts): void {
  usedAllocations(vault).forEach(({ reserve }, i) => {
    const account = remaining[i];
    if (account === undefined) {
      throw kvaultRejection('ReserveNotProvidedInTheAccounts', `${reserve} is not given`);
    }
    if (!reserveLayout.matches(call.account(account))) {
      throw new ProgramFailure('ProgramFailedToComplete');
    }
    requireReserve(account, reserve);
  });
}

function requireReserve(account: Address | undefined, reserve: Address): void {
  if (account === reserve) return;
  const reason = `${account} is given where the reserve ${reserve} must be`;
  throw kvaultRejection('ReserveAccountAndKeyMismatch', reason);
}

/** The current exchange rates of the vault's cTokens. */
export function readVaultContext(
  call: InvokeContext,
  { vault, remaining, rules }: VaultReserveAccounts,
): VaultContext {
  const exchanges = usedAllocations(vault).map(({ reserve }, i): [Address, CTokenExchangeRate] => {
    requireReserve(remaining[i], reserve);
    const fields = reserveAt(call, reserve);
    const { slot, stale } = fields.lastUpdate;
    if (stale !== 0 || slot < call.time.slot) {
      throw kvaultRejection('ReserveIsStale', `the reserve ${reserve} is not of this slot`);
    }
    return [reserve, ctokenExchangeRate(fields)];
  });
  return { exchanges: new Map(exchanges), time: call.time, rules };
}

const reserveAt = (call: InvokeContext, address: Address): Reserve =>
  loadAccount(call, reserveLayout, { address, owner: KLEND_PROGRAM });

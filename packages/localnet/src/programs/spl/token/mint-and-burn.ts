import { type Address, toLamports } from '@tidegate/core/base';
import { findExtension, type Mint, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { authorizeSpending, isUnowned, requireTokenAuthority } from './authority.ts';
import { permanentDelegateOf, requireNotPaused } from './mint-transfer-rules.ts';
import { tokenRejection } from './token-errors.ts';
import {
  isFrozen,
  isNative,
  readMint,
  readTokenAccount,
  requireProgramOwned,
  writeBalance,
  writeSupply,
} from './token-state.ts';

export type SupplyChange = {
  readonly account: Address;
  readonly mint: Address;
  readonly authority: Address;
  readonly amount: bigint;
  /** What the caller believes the mint has; absent in the first form of the instructions. */
  readonly decimals?: number;
};

export function mintTokens(call: InvokeContext, asked: SupplyChange): void {
  const account = usable(readTokenAccount(call, asked.account));
  if (account.mint !== asked.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, asked.mint);
  if (findExtension(mint.extensions, 'nonTransferable') !== undefined) requireBound(account);
  requireNotPaused(mint);
  requireDecimals(mint, asked.decimals);
  if (mint.mintAuthorityTag !== 1) throw tokenRejection('FixedSupply');
  requireTokenAuthority(call, mint.mintAuthority, asked.authority);
  write(call, asked, { account, mint, by: asked.amount });
}

export function burnTokens(call: InvokeContext, asked: SupplyChange): void {
  const mint = readMint(call, asked.mint);
  const account = usable(readTokenAccount(call, asked.account));
  if (account.amount < asked.amount) throw tokenRejection('InsufficientFunds');
  if (account.mint !== asked.mint) throw tokenRejection('MintMismatch');
  requireDecimals(mint, asked.decimals);
  requireNotPaused(mint);
  const permanentDelegate = permanentDelegateOf(mint);
  const spent = isUnowned(account)
    ? account
    : authorizeSpending(call, account, { ...asked, permanentDelegate });
  write(call, asked, { account: spent, mint, by: -asked.amount });
}

type Changed = { readonly account: TokenAccount; readonly mint: Mint; readonly by: bigint };

function write(call: InvokeContext, asked: SupplyChange, { account, mint, by }: Changed): void {
  if (by === 0n) {
    requireProgramOwned(call, asked.mint);
    requireProgramOwned(call, asked.account);
  }
  writeSupply(call, asked.mint, { ...mint, supply: toLamports(mint.supply + by) });
  writeBalance(call, asked.account, { ...account, amount: toLamports(account.amount + by) });
}

/** Neither frozen nor of wrapped SOL, whose supply nobody counts. */
function usable(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  if (isNative(account)) throw tokenRejection('NativeNotSupported');
  return account;
}

function requireDecimals(mint: Mint, decimals: number | undefined): void {
  if (decimals !== undefined && decimals !== mint.decimals)
    throw tokenRejection('MintDecimalsMismatch');
}

/** Tokens that cannot be moved must not move with their account. */
function requireBound({ extensions }: TokenAccount): void {
  const isBound =
    findExtension(extensions, 'immutableOwner') !== undefined &&
    findExtension(extensions, 'nonTransferableAccount') !== undefined;
  if (!isBound) throw tokenRejection('NonTransferableNeedsImmutableOwnership');
}

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
  /** Expected decimals; undefined for the unchecked instructions. */
  readonly decimals?: number;
};

export function mintTokens(call: InvokeContext, request: SupplyChange): void {
  const account = requireUsable(readTokenAccount(call, request.account));
  if (account.mint !== request.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, request.mint);
  if (findExtension(mint.extensions, 'nonTransferable') !== undefined)
    requireNonTransferable(account);
  requireNotPaused(mint);
  requireDecimals(mint, request.decimals);
  if (mint.mintAuthorityTag !== 1) throw tokenRejection('FixedSupply');
  requireTokenAuthority(call, mint.mintAuthority, request.authority);
  applyChange(call, request, { account, mint, delta: request.amount });
}

export function burnTokens(call: InvokeContext, request: SupplyChange): void {
  const mint = readMint(call, request.mint);
  const account = requireUsable(readTokenAccount(call, request.account));
  if (account.amount < request.amount) throw tokenRejection('InsufficientFunds');
  if (account.mint !== request.mint) throw tokenRejection('MintMismatch');
  requireDecimals(mint, request.decimals);
  requireNotPaused(mint);
  const permanentDelegate = permanentDelegateOf(mint);
  const spent = isUnowned(account)
    ? account
    : authorizeSpending(call, account, { ...request, permanentDelegate });
  applyChange(call, request, { account: spent, mint, delta: -request.amount });
}

type BalanceChange = {
  readonly account: TokenAccount;
  readonly mint: Mint;
  readonly delta: bigint;
};

function applyChange(
  call: InvokeContext,
  request: SupplyChange,
  { account, mint, delta }: BalanceChange,
): void {
  if (delta === 0n) {
    requireProgramOwned(call, request.mint);
    requireProgramOwned(call, request.account);
  }
  writeSupply(call, request.mint, { ...mint, supply: toLamports(mint.supply + delta) });
  writeBalance(call, request.account, { ...account, amount: toLamports(account.amount + delta) });
}

/** Neither frozen nor wrapped SOL, which has no supply. */
function requireUsable(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  if (isNative(account)) throw tokenRejection('NativeNotSupported');
  return account;
}

function requireDecimals(mint: Mint, decimals: number | undefined): void {
  if (decimals !== undefined && decimals !== mint.decimals)
    throw tokenRejection('MintDecimalsMismatch');
}

/** Accounts with non-transferable tokens must not change owner. */
function requireNonTransferable({ extensions }: TokenAccount): void {
  const isBound =
    findExtension(extensions, 'immutableOwner') !== undefined &&
    findExtension(extensions, 'nonTransferableAccount') !== undefined;
  if (!isBound) throw tokenRejection('NonTransferableNeedsImmutableOwnership');
}

import { type Address, toLamports } from '@tidegate/core/base';
import { extensionOf, type Mint, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { isOwnedByNobody, requireAuthority, spendBy } from './authority.ts';
import { permanentDelegateOf, requireRunning } from './mint-transfer-rules.ts';
import { refused } from './token-errors.ts';
import {
  isFrozen,
  isNative,
  readMint,
  readToken,
  requireOwn,
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

export function mintTokens(call: Call, asked: SupplyChange): void {
  const account = usable(readToken(call, asked.account));
  if (account.mint !== asked.mint) throw refused('MintMismatch');
  const mint = readMint(call, asked.mint);
  if (extensionOf(mint.extensions, 'nonTransferable') !== undefined) requireBound(account);
  requireRunning(mint);
  requireDecimals(mint, asked.decimals);
  if (mint.mintAuthorityTag !== 1) throw refused('FixedSupply');
  requireAuthority(call, mint.mintAuthority, asked.authority);
  write(call, asked, { account, mint, by: asked.amount });
}

export function burnTokens(call: Call, asked: SupplyChange): void {
  const mint = readMint(call, asked.mint);
  const account = usable(readToken(call, asked.account));
  if (account.amount < asked.amount) throw refused('InsufficientFunds');
  if (account.mint !== asked.mint) throw refused('MintMismatch');
  requireDecimals(mint, asked.decimals);
  requireRunning(mint);
  const permanentDelegate = permanentDelegateOf(mint);
  const spent = isOwnedByNobody(account)
    ? account
    : spendBy(call, account, { ...asked, permanentDelegate });
  write(call, asked, { account: spent, mint, by: -asked.amount });
}

type Changed = { readonly account: TokenAccount; readonly mint: Mint; readonly by: bigint };

function write(call: Call, asked: SupplyChange, { account, mint, by }: Changed): void {
  if (by === 0n) {
    requireOwn(call, asked.mint);
    requireOwn(call, asked.account);
  }
  writeSupply(call, asked.mint, { ...mint, supply: toLamports(mint.supply + by) });
  writeBalance(call, asked.account, { ...account, amount: toLamports(account.amount + by) });
}

/** Neither frozen nor of wrapped SOL, whose supply nobody counts. */
function usable(account: TokenAccount): TokenAccount {
  if (isFrozen(account)) throw refused('AccountFrozen');
  if (isNative(account)) throw refused('NativeNotSupported');
  return account;
}

function requireDecimals(mint: Mint, decimals: number | undefined): void {
  if (decimals !== undefined && decimals !== mint.decimals) throw refused('MintDecimalsMismatch');
}

/** Tokens that cannot be moved must not move with their account. */
function requireBound({ extensions }: TokenAccount): void {
  const isBound =
    extensionOf(extensions, 'immutableOwner') !== undefined &&
    extensionOf(extensions, 'nonTransferableAccount') !== undefined;
  if (!isBound) throw refused('NonTransferableNeedsImmutableOwnership');
}

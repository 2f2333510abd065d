import { type Address, type Lamports, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { transferFeeAt, transferFeeOf } from '@tidegate/core/protocol/spl';
import {
  type Extension,
  findExtension,
  type Mint,
  type TokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { SLOTS_PER_EPOCH } from '../../../runtime/slot-time.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { authorizeSpending, isUnowned, requireTokenAuthority } from './authorities.ts';
import {
  isFrozen,
  isNative,
  readMint,
  readTokenAccount,
  requireProgramOwned,
  tokenRejection,
  writeBalance,
  writeSupply,
} from './token-state.ts';

type TokenTransfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  /** Undefined for the unchecked instruction. */
  readonly mint?: CheckedMint;
  /** The fee that the caller expects. */
  readonly fee?: bigint;
};

const SOL_TRANSFER_UNITS = 7;

export function transferTokens(call: InvokeContext, request: TokenTransfer): void {
  const { amount } = request;
  const source = readTokenAccount(call, request.source);
  const destination = readTokenAccount(call, request.destination);
  if (isFrozen(source) || isFrozen(destination)) throw tokenRejection('AccountFrozen');
  if (source.amount < amount) throw tokenRejection('InsufficientFunds');
  if (source.mint !== destination.mint) throw tokenRejection('MintMismatch');
  const rules = transferRules(call, source, { mint: request.mint, amount });
  if (request.fee !== undefined && request.fee !== rules.fee)
    throw feeMismatch(call, request.fee, rules.fee);
  const spent = authorizeSpending(call, source, { ...request, ...rules });
  const isSelf = request.source === request.destination;
  if (isSelf || amount === 0n) {
    requireProgramOwned(call, request.source);
    requireProgramOwned(call, request.destination);
  }
  // A transfer to itself is checked but moves nothing and uses no delegation.
  if (isSelf) return;
  writeBalance(call, request.source, { ...spent, amount: toLamports(spent.amount - amount) });
  writeBalance(call, request.destination, creditTokens(destination, toLamports(amount), rules.fee));
  if (isNative(source)) moveLamports(call, request);
}

function creditTokens(account: TokenAccount, amount: Lamports, fee: Lamports): TokenAccount {
  const credited = { ...account, amount: toLamports(account.amount + amount - fee) };
  if (fee === 0n) return credited;
  // Every account of a mint with fees has this extension.
  const { extensions } = account;
  if (extensions === undefined || findExtension(extensions, 'transferFeeAmount') === undefined) {
    throw tokenRejection('InvalidState');
  }
  const entries = extensions.entries.map((entry) => addWithheldFee(entry, fee));
  return { ...credited, extensions: { ...extensions, entries } };
}

function addWithheldFee(entry: Extension, fee: Lamports): Extension {
  if (entry.kind !== 'transferFeeAmount') return entry;
  return {
    kind: entry.kind,
    value: { withheldAmount: toLamports(entry.value.withheldAmount + fee) },
  };
}

function moveLamports(call: InvokeContext, { source, destination, amount }: TokenTransfer): void {
  call.consumeUnits(SOL_TRANSFER_UNITS);
  call.updateAccount(source, { lamports: call.account(source).lamports - amount });
  call.updateAccount(destination, { lamports: call.account(destination).lamports + amount });
}

function feeMismatch(call: InvokeContext, given: bigint, calculated: bigint): Error {
  call.log(`Calculated fee ${calculated}, received ${given}`);
  return tokenRejection('FeeMismatch');
}

type SupplyChange = {
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

/** The mint and decimals that the caller expects. */
export type CheckedMint = { readonly address: Address; readonly decimals: number };

/** What the mint defines for a transfer. */
type TransferRules = {
  readonly fee: Lamports;
  readonly permanentDelegate: Address | undefined;
};

/** Token-2022 requires the mint for accounts whose mint has transfer rules. */
function transferRules(
  call: InvokeContext,
  source: TokenAccount,
  request: { readonly mint: CheckedMint | undefined; readonly amount: bigint },
): TransferRules {
  if (findExtension(source.extensions, 'nonTransferableAccount') !== undefined) {
    throw tokenRejection('NonTransferable');
  }
  if (request.mint === undefined) {
    if (requiresMint(source)) throw tokenRejection('MintRequiredForTransfer');
    return { fee: toLamports(0n), permanentDelegate: undefined };
  }
  const mint = requireCheckedMint(call, source, request.mint);
  requireNotPaused(mint);
  requireNoHook(call, mint);
  return {
    fee: transferFee(call, mint, request.amount),
    permanentDelegate: permanentDelegateOf(mint),
  };
}

/** The expected mint must be the account's and have the expected decimals. */
export function requireCheckedMint(
  call: InvokeContext,
  account: TokenAccount,
  expected: CheckedMint,
): Mint {
  if (expected.address !== account.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, expected.address);
  if (mint.decimals !== expected.decimals) throw tokenRejection('MintDecimalsMismatch');
  return mint;
}

/** Fails if the mint is paused. */
function requireNotPaused({ extensions }: Mint): void {
  if (findExtension(extensions, 'pausableConfig')?.value.paused === 1)
    throw tokenRejection('MintPaused');
}

export function permanentDelegateOf({ extensions }: Mint): Address | undefined {
  const delegate = findExtension(extensions, 'permanentDelegate')?.value.delegate;
  return delegate === ZERO_ADDRESS ? undefined : delegate;
}

function requiresMint({ extensions }: TokenAccount): boolean {
  return (
    findExtension(extensions, 'transferHookAccount') !== undefined ||
    findExtension(extensions, 'transferFeeAmount') !== undefined ||
    findExtension(extensions, 'pausableAccount') !== undefined
  );
}

function transferFee(call: InvokeContext, { extensions }: Mint, amount: bigint): Lamports {
  const config = findExtension(extensions, 'transferFeeConfig')?.value;
  if (config === undefined) return toLamports(0n);
  const epoch = call.time.slot / SLOTS_PER_EPOCH;
  return transferFeeOf(transferFeeAt(config, epoch), toLamports(amount));
}

/**
 * A hook calls a program. The cluster has none, so the transfer fails as with an unknown program.
 */
function requireNoHook(call: InvokeContext, { extensions }: Mint): void {
  const program = findExtension(extensions, 'transferHook')?.value.programId ?? ZERO_ADDRESS;
  if (program === ZERO_ADDRESS) return;
  call.logRaw(`Unknown program ${program}`);
  throw new ProgramFailure('MissingAccount');
}

import { type Address, type Lamports, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { transferFeeAt, transferFeeOf } from '@tidegate/core/protocol/spl';
import { findExtension, type Mint, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { SLOTS_PER_EPOCH } from '../../../runtime/slot-time.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { tokenRejection } from './token-errors.ts';
import { readMint } from './token-state.ts';

/** The mint as a caller names it, to be sure of it. */
export type CheckedMint = { readonly address: Address; readonly decimals: number };

/** What a mint says about a movement of its tokens. */
export type TransferRules = {
  readonly fee: Lamports;
  readonly permanentDelegate: Address | undefined;
};

/** Token-2022 moves nothing of an account whose mint has a say in it without asking the mint. */
export function transferRules(
  call: InvokeContext,
  source: TokenAccount,
  asked: { readonly mint: CheckedMint | undefined; readonly amount: bigint },
): TransferRules {
  if (findExtension(source.extensions, 'nonTransferableAccount') !== undefined) {
    throw tokenRejection('NonTransferable');
  }
  if (asked.mint === undefined) {
    if (asksItsMint(source)) throw tokenRejection('MintRequiredForTransfer');
    return { fee: toLamports(0n), permanentDelegate: undefined };
  }
  const mint = requireCheckedMint(call, source, asked.mint);
  requireNotPaused(mint);
  refuseHook(call, mint);
  return { fee: feeOf(call, mint, asked.amount), permanentDelegate: permanentDelegateOf(mint) };
}

/** The mint that a caller names must be the account's, and have the decimals that the caller believes it has. */
export function requireCheckedMint(
  call: InvokeContext,
  account: TokenAccount,
  named: CheckedMint,
): Mint {
  if (named.address !== account.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, named.address);
  if (mint.decimals !== named.decimals) throw tokenRejection('MintDecimalsMismatch');
  return mint;
}

/** A mint that can be paused, and is. */
export function requireNotPaused({ extensions }: Mint): void {
  if (findExtension(extensions, 'pausableConfig')?.value.paused === 1)
    throw tokenRejection('MintPaused');
}

export function permanentDelegateOf({ extensions }: Mint): Address | undefined {
  const delegate = findExtension(extensions, 'permanentDelegate')?.value.delegate;
  return delegate === ZERO_ADDRESS ? undefined : delegate;
}

function asksItsMint({ extensions }: TokenAccount): boolean {
  return (
    findExtension(extensions, 'transferHookAccount') !== undefined ||
    findExtension(extensions, 'transferFeeAmount') !== undefined ||
    findExtension(extensions, 'pausableAccount') !== undefined
  );
}

function feeOf(call: InvokeContext, { extensions }: Mint, amount: bigint): Lamports {
  const config = findExtension(extensions, 'transferFeeConfig')?.value;
  if (config === undefined) return toLamports(0n);
  const epoch = call.time.slot / SLOTS_PER_EPOCH;
  return transferFeeOf(transferFeeAt(config, epoch), toLamports(amount));
}

/** A hook is a program to be called; this cluster has none, so the call ends as one of an unknown program does. */
function refuseHook(call: InvokeContext, { extensions }: Mint): void {
  const program = findExtension(extensions, 'transferHook')?.value.programId ?? ZERO_ADDRESS;
  if (program === ZERO_ADDRESS) return;
  call.note(`Unknown program ${program}`);
  throw new ProgramFailure('MissingAccount');
}

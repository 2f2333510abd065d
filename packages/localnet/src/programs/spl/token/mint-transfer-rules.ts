import { type Address, type Lamports, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { transferFeeAt, transferFeeOf } from '@tidegate/core/protocol/spl';
import { extensionOf, type Mint, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { SLOTS_PER_EPOCH } from '../../../runtime/slot-time.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { refused } from './token-errors.ts';
import { readMint } from './token-state.ts';

/** The mint as a caller names it, to be sure of it. */
export type NamedMint = { readonly address: Address; readonly decimals: number };

/** What a mint says about a movement of its tokens. */
export type Terms = { readonly fee: Lamports; readonly permanentDelegate: Address | undefined };

/** Token-2022 moves nothing of an account whose mint has a say in it without asking the mint. */
export function transferTerms(
  call: Call,
  source: TokenAccount,
  asked: { readonly mint: NamedMint | undefined; readonly amount: bigint },
): Terms {
  if (extensionOf(source.extensions, 'nonTransferableAccount') !== undefined) {
    throw refused('NonTransferable');
  }
  if (asked.mint === undefined) {
    if (asksItsMint(source)) throw refused('MintRequiredForTransfer');
    return { fee: toLamports(0n), permanentDelegate: undefined };
  }
  const mint = requireMint(call, source, asked.mint);
  requireRunning(mint);
  refuseHook(call, mint);
  return { fee: feeOf(call, mint, asked.amount), permanentDelegate: permanentDelegateOf(mint) };
}

/** The mint that a caller names must be the account's, and have the decimals that the caller believes it has. */
export function requireMint(call: Call, account: TokenAccount, named: NamedMint): Mint {
  if (named.address !== account.mint) throw refused('MintMismatch');
  const mint = readMint(call, named.address);
  if (mint.decimals !== named.decimals) throw refused('MintDecimalsMismatch');
  return mint;
}

/** A mint that can be paused, and is. */
export function requireRunning({ extensions }: Mint): void {
  if (extensionOf(extensions, 'pausableConfig')?.value.paused === 1) throw refused('MintPaused');
}

export function permanentDelegateOf({ extensions }: Mint): Address | undefined {
  const delegate = extensionOf(extensions, 'permanentDelegate')?.value.delegate;
  return delegate === ZERO_ADDRESS ? undefined : delegate;
}

function asksItsMint({ extensions }: TokenAccount): boolean {
  return (
    extensionOf(extensions, 'transferHookAccount') !== undefined ||
    extensionOf(extensions, 'transferFeeAmount') !== undefined ||
    extensionOf(extensions, 'pausableAccount') !== undefined
  );
}

function feeOf(call: Call, { extensions }: Mint, amount: bigint): Lamports {
  const config = extensionOf(extensions, 'transferFeeConfig')?.value;
  if (config === undefined) return toLamports(0n);
  const epoch = call.time.slot / SLOTS_PER_EPOCH;
  return transferFeeOf(transferFeeAt(config, epoch), toLamports(amount));
}

/** A hook is a program to be called; this cluster has none, so the call ends as one of an unknown program does. */
function refuseHook(call: Call, { extensions }: Mint): void {
  const program = extensionOf(extensions, 'transferHook')?.value.programId ?? ZERO_ADDRESS;
  if (program === ZERO_ADDRESS) return;
  call.note(`Unknown program ${program}`);
  throw new ProgramFailure('MissingAccount');
}

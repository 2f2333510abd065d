import { type Address, type Lamports, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { transferFeeAt, transferFeeOf } from '@tidegate/core/protocol/spl';
import { findExtension, type Mint, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { SLOTS_PER_EPOCH } from '../../../runtime/slot-time.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { tokenRejection } from './token-errors.ts';
import { readMint } from './token-state.ts';

/** The mint and decimals that the caller expects. */
export type CheckedMint = { readonly address: Address; readonly decimals: number };

/** What the mint defines for a transfer. */
export type TransferRules = {
  readonly fee: Lamports;
  readonly permanentDelegate: Address | undefined;
};

/** Token-2022 requires the mint for accounts whose mint has transfer rules. */
export function transferRules(
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
export function requireNotPaused({ extensions }: Mint): void {
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

import { type Address, type Lamports, toLamports } from '@tidegate/core/base';
import {
  type Extension,
  findExtension,
  type TokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { authorizeSpending } from './authority.ts';
import { type CheckedMint, transferRules } from './mint-transfer-rules.ts';
import { tokenRejection } from './token-errors.ts';
import {
  isFrozen,
  isNative,
  readTokenAccount,
  requireProgramOwned,
  writeBalance,
} from './token-state.ts';

export type TokenTransfer = {
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

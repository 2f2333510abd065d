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
  /** Absent in the first form of the instruction. */
  readonly mint?: CheckedMint;
  /** What the caller believes the mint keeps back. */
  readonly fee?: bigint;
};

const UNITS_OF_SOL = 7;

export function transferTokens(call: InvokeContext, asked: TokenTransfer): void {
  const { amount } = asked;
  const source = readTokenAccount(call, asked.source);
  const destination = readTokenAccount(call, asked.destination);
  if (isFrozen(source) || isFrozen(destination)) throw tokenRejection('AccountFrozen');
  if (source.amount < amount) throw tokenRejection('InsufficientFunds');
  if (source.mint !== destination.mint) throw tokenRejection('MintMismatch');
  const terms = transferRules(call, source, { mint: asked.mint, amount });
  if (asked.fee !== undefined && asked.fee !== terms.fee)
    throw mismatch(call, asked.fee, terms.fee);
  const spent = authorizeSpending(call, source, { ...asked, ...terms });
  const isSelf = asked.source === asked.destination;
  if (isSelf || amount === 0n) {
    requireProgramOwned(call, asked.source);
    requireProgramOwned(call, asked.destination);
  }
  // to itself: all is checked, nothing moves, and no delegate has used anything up
  if (isSelf) return;
  writeBalance(call, asked.source, { ...spent, amount: toLamports(spent.amount - amount) });
  writeBalance(call, asked.destination, received(destination, toLamports(amount), terms.fee));
  if (isNative(source)) moveLamports(call, asked);
}

function received(account: TokenAccount, amount: Lamports, fee: Lamports): TokenAccount {
  const credited = { ...account, amount: toLamports(account.amount + amount - fee) };
  if (fee === 0n) return credited;
  // every account of a mint with fees has the place for them
  const { extensions } = account;
  if (extensions === undefined || findExtension(extensions, 'transferFeeAmount') === undefined) {
    throw tokenRejection('InvalidState');
  }
  const entries = extensions.entries.map((entry) => withheld(entry, fee));
  return { ...credited, extensions: { ...extensions, entries } };
}

function withheld(entry: Extension, fee: Lamports): Extension {
  if (entry.kind !== 'transferFeeAmount') return entry;
  return {
    kind: entry.kind,
    value: { withheldAmount: toLamports(entry.value.withheldAmount + fee) },
  };
}

function moveLamports(call: InvokeContext, { source, destination, amount }: TokenTransfer): void {
  call.consume(UNITS_OF_SOL);
  call.change(source, { lamports: call.account(source).lamports - amount });
  call.change(destination, { lamports: call.account(destination).lamports + amount });
}

function mismatch(call: InvokeContext, given: bigint, calculated: bigint): Error {
  call.log(`Calculated fee ${calculated}, received ${given}`);
  return tokenRejection('FeeMismatch');
}

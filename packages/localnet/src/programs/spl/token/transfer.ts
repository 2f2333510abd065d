import { type Address, type Lamports, toLamports } from '@tidegate/core/base';
import { type Extension, extensionOf, type TokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { spendBy } from './authority.ts';
import { type NamedMint, transferTerms } from './mint-transfer-rules.ts';
import { refused } from './token-errors.ts';
import { isFrozen, isNative, readToken, requireOwn, writeBalance } from './token-state.ts';

export type Transfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  /** Absent in the first form of the instruction. */
  readonly mint?: NamedMint;
  /** What the caller believes the mint keeps back. */
  readonly fee?: bigint;
};

const UNITS_OF_SOL = 7;

export function transfer(call: Call, asked: Transfer): void {
  const { amount } = asked;
  const source = readToken(call, asked.source);
  const destination = readToken(call, asked.destination);
  if (isFrozen(source) || isFrozen(destination)) throw refused('AccountFrozen');
  if (source.amount < amount) throw refused('InsufficientFunds');
  if (source.mint !== destination.mint) throw refused('MintMismatch');
  const terms = transferTerms(call, source, { mint: asked.mint, amount });
  if (asked.fee !== undefined && asked.fee !== terms.fee)
    throw mismatch(call, asked.fee, terms.fee);
  const spent = spendBy(call, source, { ...asked, ...terms });
  const isSelf = asked.source === asked.destination;
  if (isSelf || amount === 0n) {
    requireOwn(call, asked.source);
    requireOwn(call, asked.destination);
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
  if (extensions === undefined || extensionOf(extensions, 'transferFeeAmount') === undefined) {
    throw refused('InvalidState');
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

function moveLamports(call: Call, { source, destination, amount }: Transfer): void {
  call.consume(UNITS_OF_SOL);
  call.change(source, { lamports: call.account(source).lamports - amount });
  call.change(destination, { lamports: call.account(destination).lamports + amount });
}

function mismatch(call: Call, given: bigint, calculated: bigint): Error {
  call.log(`Calculated fee ${calculated}, received ${given}`);
  return refused('FeeMismatch');
}

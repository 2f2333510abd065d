import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { tryDecodeCall } from './instruction-events.ts';
import {
  burn,
  burnChecked,
  mintTo,
  mintToChecked,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from './instructions/token-transfer.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import type { Call } from './transaction/call-tree.ts';

/** The effect of a token program call on balances. */
export type TokenMovement =
  /**
   * `amount` left the source. A Token-2022 mint can withhold a part of it; `fee` is that part if the call
   * contains it.
   */
  | {
      readonly kind: 'transfer';
      readonly source: Address;
      readonly destination: Address;
      readonly amount: bigint;
      readonly fee: bigint | undefined;
    }
  | { readonly kind: 'mint' | 'burn'; readonly account: Address; readonly amount: bigint };

/** Returns undefined for a call that moves no tokens. */
export function tokenMovementOf(call: Call): TokenMovement | undefined {
  if (call.program !== TOKEN_PROGRAM && call.program !== TOKEN_2022_PROGRAM) return undefined;
  const transfer = tryDecodeCall(tokenTransfer, call) ?? tryDecodeCall(transferChecked, call);
  if (transfer !== undefined) {
    const { source, destination } = transfer.accounts;
    return { kind: 'transfer', source, destination, amount: transfer.args.amount, fee: undefined };
  }
  const withFee = tryDecodeCall(transferCheckedWithFee, call);
  if (withFee !== undefined) {
    const { source, destination } = withFee.accounts;
    const { amount, fee } = withFee.args;
    return { kind: 'transfer', source, destination, amount, fee };
  }
  const minted = tryDecodeCall(mintTo, call) ?? tryDecodeCall(mintToChecked, call);
  if (minted !== undefined) {
    return { kind: 'mint', account: minted.accounts.account, amount: minted.args.amount };
  }
  const burned = tryDecodeCall(burn, call) ?? tryDecodeCall(burnChecked, call);
  if (burned === undefined) return undefined;
  return { kind: 'burn', account: burned.accounts.account, amount: burned.args.amount };
}

/** Sums over calls. Undefined if there is no such movement. */
export type TokenMovements = {
  transferred(source: Address, destination: Address): bigint | undefined;
  minted(account: Address): bigint | undefined;
  burned(account: Address): bigint | undefined;
};

export function tokenMovements(calls: readonly Call[]): TokenMovements {
  const movements = calls.flatMap((call) => tokenMovementOf(call) ?? []);
  const sum = (matches: (movement: TokenMovement) => boolean): bigint | undefined => {
    const matching = movements.filter(matches);
    return matching.length === 0
      ? undefined
      : matching.reduce((total, { amount }) => total + amount, 0n);
  };
  return {
    transferred: (source, destination) =>
      sum((m) => m.kind === 'transfer' && m.source === source && m.destination === destination),
    minted: (account) => sum((m) => m.kind === 'mint' && m.account === account),
    burned: (account) => sum((m) => m.kind === 'burn' && m.account === account),
  };
}

/** Requires a movement that every successful call has. Without it the record is incomplete. */
export function requireMovement(amount: bigint | undefined, what: string): bigint {
  if (amount !== undefined) return amount;
  const reason = `it has no ${what}`;
  throw new CodedError('MALFORMED_DATA', { what: 'transaction record', reason });
}

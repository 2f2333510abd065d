import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { tryDecodeCall } from './instruction-events.ts';
import { burn } from './instructions/burn.ts';
import { burnChecked } from './instructions/burn-checked.ts';
import { mintTo } from './instructions/mint-to.ts';
import { mintToChecked } from './instructions/mint-to-checked.ts';
import { tokenTransfer } from './instructions/token-transfer.ts';
import { transferChecked } from './instructions/transfer-checked.ts';
import { transferCheckedWithFee } from './instructions/transfer-checked-with-fee.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import type { Call } from './transaction/call-tree.ts';

/** What a call of a token program did to balances. */
export type TokenMovement =
  /**
   * `amount` is what left the source. A mint of Token-2022 may keep part of it back; `fee` is that
   * part where the call names it.
   */
  | {
      readonly kind: 'transfer';
      readonly source: Address;
      readonly destination: Address;
      readonly amount: bigint;
      readonly fee: bigint | undefined;
    }
  | { readonly kind: 'mint' | 'burn'; readonly account: Address; readonly amount: bigint };

/** Undefined for a call that moves no tokens. */
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

/** Sums over some calls; undefined where there was not one such movement. */
export type TokenMovements = {
  transferred(source: Address, destination: Address): bigint | undefined;
  minted(account: Address): bigint | undefined;
  burned(account: Address): bigint | undefined;
};

export function tokenMovements(calls: readonly Call[]): TokenMovements {
  const movements = calls.flatMap((call) => tokenMovementOf(call) ?? []);
  const sum = (isMeant: (movement: TokenMovement) => boolean): bigint | undefined => {
    const meant = movements.filter(isMeant);
    return meant.length === 0 ? undefined : meant.reduce((total, { amount }) => total + amount, 0n);
  };
  return {
    transferred: (source, destination) =>
      sum((m) => m.kind === 'transfer' && m.source === source && m.destination === destination),
    minted: (account) => sum((m) => m.kind === 'mint' && m.account === account),
    burned: (account) => sum((m) => m.kind === 'burn' && m.account === account),
  };
}

/** For a movement without which the program does not succeed: without it the record has a gap. */
export function requireMovement(amount: bigint | undefined, what: string): bigint {
  if (amount !== undefined) return amount;
  const reason = `the calls have no ${what}`;
  throw new CodedError('MALFORMED_DATA', { what: 'record of the transaction', reason });
}

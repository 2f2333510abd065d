import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  isAbsent,
  malformedTransaction,
  toJsonAddress,
  toJsonArray,
  toJsonIndex,
  toJsonInteger,
  toJsonObject,
} from './json-values.ts';

export type TokenBalance = {
  readonly account: Address;
  readonly mint: Address;
  readonly amount: Lamports;
  readonly decimals: number;
  /** Nodes before 2022 did not say these two. */
  readonly owner: Address | undefined;
  readonly tokenProgram: Address | undefined;
};

const BYTE = 256;

/** `preTokenBalances` or `postTokenBalances`; a node that kept none says null. */
export function parseTokenBalances(value: unknown, keys: readonly Address[]): TokenBalance[] {
  if (isAbsent(value)) return [];
  return toJsonArray(value, 'token balances').map((entry) => parseTokenBalance(entry, keys));
}

function parseTokenBalance(value: unknown, keys: readonly Address[]): TokenBalance {
  const balance = toJsonObject(value, 'a token balance');
  const account = keys[toJsonIndex(balance['accountIndex'], BYTE, 'accountIndex')];
  if (account === undefined)
    throw malformedTransaction('a token balance is of an account that is not there');
  const shown = toJsonObject(balance['uiTokenAmount'], 'uiTokenAmount');
  return {
    account,
    mint: toJsonAddress(balance['mint'], 'a mint'),
    amount: toLamports(toJsonInteger(shown['amount'], 'a token amount')),
    decimals: toJsonIndex(shown['decimals'], BYTE, 'decimals'),
    owner: keyOrNone(balance['owner'], 'an owner'),
    tokenProgram: keyOrNone(balance['programId'], 'a token program'),
  };
}

/** Some nodes write what they do not know as empty text. */
function keyOrNone(value: unknown, place: string): Address | undefined {
  return isAbsent(value) || value === '' ? undefined : toJsonAddress(value, place);
}

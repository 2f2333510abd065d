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
  /** Nodes before 2022 did not report these two. */
  readonly owner: Address | undefined;
  readonly tokenProgram: Address | undefined;
};

const BYTE = 256;

/** Parses `preTokenBalances` or `postTokenBalances`, which are null if the node has none. */
export function parseTokenBalances(value: unknown, keys: readonly Address[]): TokenBalance[] {
  if (isAbsent(value)) return [];
  return toJsonArray(value, 'token balances').map((entry) => parseTokenBalance(entry, keys));
}

function parseTokenBalance(value: unknown, keys: readonly Address[]): TokenBalance {
  const balance = toJsonObject(value, 'a token balance');
  const account = keys[toJsonIndex(balance['accountIndex'], BYTE, 'accountIndex')];
  if (account === undefined)
    throw malformedTransaction('a token balance has an invalid account index');
  const uiAmount = toJsonObject(balance['uiTokenAmount'], 'uiTokenAmount');
  return {
    account,
    mint: toJsonAddress(balance['mint'], 'a mint'),
    amount: toLamports(toJsonInteger(uiAmount['amount'], 'a token amount')),
    decimals: toJsonIndex(uiAmount['decimals'], BYTE, 'decimals'),
    owner: optionalKey(balance['owner'], 'an owner'),
    tokenProgram: optionalKey(balance['programId'], 'a token program'),
  };
}

/** Some nodes return an empty string for an unknown value. */
function optionalKey(value: unknown, path: string): Address | undefined {
  return isAbsent(value) || value === '' ? undefined : toJsonAddress(value, path);
}

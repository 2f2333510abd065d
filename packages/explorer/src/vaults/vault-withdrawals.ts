import type { VaultAllocations } from '@tidegate/client';
import { compareDecimals, subtractDecimals } from '@tidegate/client';
import type { ListedReserve } from '../api/directory.ts';
import { minimum, sum } from '../format/decimal.ts';

type Allocation = VaultAllocations['allocations'][number];

/** A part of a vault's money, and how much of it can be withdrawn now. In whole tokens. */
export type MoneyPart = {
  /** Undefined for tokens that are in no reserve. */
  readonly allocation: Allocation | undefined;
  readonly tokens: string;
  readonly usd: string;
  /** Undefined if the reserve is not known. */
  readonly withdrawable: string | undefined;
};

/** Tokens that each reserve has and has not lent out, by address. */
export type AvailableTokens = ReadonlyMap<string, string>;

/**
 * Where the tokens of a vault are. Of a deposit, as much can be withdrawn as its reserve has available; tokens that are in no
 * reserve can be withdrawn in full.
 */
export function moneyParts(
  { allocations, unallocated }: VaultAllocations,
  available: AvailableTokens,
): MoneyPart[] {
  const invested = allocations.map((allocation) => {
    const tokens = allocation.suppliedTokenAmount;
    const free = available.get(allocation.reserve);
    const withdrawable = free === undefined ? undefined : minimum(tokens, free);
    return { allocation, tokens, usd: allocation.suppliedUsd, withdrawable };
  });
  const idle = {
    allocation: undefined,
    tokens: unallocated.tokenAmount,
    usd: unallocated.usd,
    withdrawable: unallocated.tokenAmount,
  };
  return [...invested.sort((a, b) => compareDecimals(b.tokens, a.tokens)), idle];
}

/** Supply less debts: the reserve also has the fees that it has not paid out yet, so it has a little more. */
export const estimateAvailable = (reserves: readonly ListedReserve[]): AvailableTokens =>
  new Map(
    reserves.map(({ reserve, totalSupply, totalBorrow }) => {
      const free = subtractDecimals(totalSupply, totalBorrow);
      return [reserve, free.startsWith('-') ? '0' : free];
    }),
  );

/** All tokens that can be withdrawn now; undefined if a reserve is not known. */
export function totalWithdrawable(parts: readonly MoneyPart[]): string | undefined {
  const known = parts.flatMap(({ withdrawable }) => withdrawable ?? []);
  return known.length < parts.length ? undefined : sum(known);
}

import type { ListedReserve } from '../api/directory.ts';
import type { VaultAllocations } from '../api/generated/operations.ts';
import { compare, minimum, subtract, sum } from '../format/decimal.ts';

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

/**
 * Where the tokens of a vault are. Of a deposit, as much can be withdrawn as its reserve has not lent out; tokens that are in
 * no reserve can be withdrawn in full.
 */
export function moneyParts(
  { allocations, unallocated }: VaultAllocations,
  reserves: readonly ListedReserve[],
): MoneyPart[] {
  const byAddress = new Map(reserves.map((reserve) => [reserve.reserve, reserve]));
  const invested = allocations.map((allocation) => {
    const tokens = allocation.suppliedTokenAmount;
    const reserve = byAddress.get(allocation.reserve);
    const withdrawable = reserve && minimum(tokens, freeTokens(reserve));
    return { allocation, tokens, usd: allocation.suppliedUsd, withdrawable };
  });
  const idle = {
    allocation: undefined,
    tokens: unallocated.tokenAmount,
    usd: unallocated.usd,
    withdrawable: unallocated.tokenAmount,
  };
  return [...invested.sort((a, b) => compare(b.tokens, a.tokens)), idle];
}

/** Tokens of a reserve that are not lent out. */
function freeTokens({ totalSupply, totalBorrow }: ListedReserve): string {
  const free = subtract(totalSupply, totalBorrow);
  return free.startsWith('-') ? '0' : free;
}

/** All tokens that can be withdrawn now; undefined if a reserve is not known. */
export function totalWithdrawable(parts: readonly MoneyPart[]): string | undefined {
  const known = parts.flatMap(({ withdrawable }) => withdrawable ?? []);
  return known.length < parts.length ? undefined : sum(known);
}

import type { Slot } from '@tidegate/core/base';

/** Nodes behind a load balancer may name a slot that is this much too low or too high. */
const TOLERANCE = 2n;

/** What a witness says of one account: that it had a value in all of these slots. */
export type AccountClaim = {
  /** Name of an endpoint, or of the stream. */
  readonly witness: string;
  /** Equal for equal accounts. */
  readonly value: number;
  readonly from: Slot;
  readonly to: Slot;
};

export type ClaimsVerdict = {
  /** Witnesses that say something which more of the others contradict. */
  readonly outvoted: ReadonlySet<string>;
  /** Witnesses that contradict each other while neither has more support. */
  readonly disputed: ReadonlySet<string>;
};

/** A value as it was read at a slot. */
export type Reading = { readonly value: number; readonly slot: Slot };

/** Two readings of the same value claim it for the slots between them. Slots must not go back. */
export function claimsOf(witness: string, readings: readonly Reading[]): AccountClaim[] {
  const claims: AccountClaim[] = [];
  for (const { value, slot } of readings) {
    const last = claims.at(-1);
    if (last?.value === value) claims[claims.length - 1] = { ...last, to: slot };
    else claims.push({ witness, value, from: slot, to: slot });
  }
  return claims;
}

/**
 * Whom to believe. Two claims contradict each other if they have another value for the same slots. Each has the support of
 * every witness that claims its value for one of these slots; the one with more support is right.
 */
export function judgeClaims(claims: readonly AccountClaim[]): ClaimsVerdict {
  const outvoted = new Set<string>();
  const undecided: (readonly [string, string])[] = [];
  for (const [i, a] of claims.entries()) {
    for (const b of claims.slice(i + 1)) {
      if (!isContradiction(a, b)) continue;
      const [forA, forB] = [supportOf(a, claims), supportOf(b, claims)];
      if (forA > forB) outvoted.add(b.witness);
      else if (forB > forA) outvoted.add(a.witness);
      else undecided.push([a.witness, b.witness]);
    }
  }
  // what an outvoted witness says makes nobody else doubtful
  const disputes = undecided.filter((pair) => !pair.some((each) => outvoted.has(each)));
  return { outvoted, disputed: new Set(disputes.flat()) };
}

/** A change at the end of a claim contradicts nothing, also if a node names the slot before or after it. */
export const isContradiction = (a: AccountClaim, b: AccountClaim): boolean =>
  a.value !== b.value && a.from + TOLERANCE <= b.to && b.from + TOLERANCE <= a.to;

const overlap = (a: AccountClaim, b: AccountClaim): boolean => a.from <= b.to && b.from <= a.to;

/** Counts witnesses, not claims. */
const supportOf = (claim: AccountClaim, claims: readonly AccountClaim[]): number =>
  new Set(
    claims
      .filter((other) => other.value === claim.value && overlap(other, claim))
      .map(({ witness }) => witness),
  ).size;

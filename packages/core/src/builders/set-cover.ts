import { type BitSet, bitSet, countWithout, hasBit, withoutBits } from './bit-set.ts';

type Candidate = { readonly index: number; readonly items: BitSet; readonly size: number };

type Holders = { readonly item: number; readonly candidates: readonly Candidate[] };

/** Limits the search to a few milliseconds. */
const MAX_ATTEMPTS = 10_000;

/**
 * Returns the ascending indexes of the fewest sets that together hold every item. Exact within the
 * limit of attempts, which dozens of overlapping sets exceed; then the smallest cover found so far.
 * Deterministic, and of equal sets the first is selected.
 */
export function findSmallestCover<Item>(
  sets: readonly ReadonlySet<Item>[],
  maxAttempts = MAX_ATTEMPTS,
): number[] {
  const numbers = numberItems(sets);
  const candidates = withoutContained(candidatesOf(sets, numbers));
  const holders = holdersOf(candidates, numbers.size);
  const all = bitSet(numbers.values(), numbers.size);
  const none = bitSet([], numbers.size);
  const largest = candidates[0]?.size ?? 0;
  let best = greedyCover(candidates, all);
  let attempts = maxAttempts;

  function search(left: BitSet, chosen: readonly Candidate[]): void {
    const rarest = holders.find(({ item }) => hasBit(left, item));
    if (rarest === undefined) best = chosen;
    const lowerBound = chosen.length + Math.ceil(countWithout(left, none) / largest);
    for (const candidate of rarest?.candidates ?? []) {
      if (lowerBound >= best.length || attempts === 0) return;
      attempts--;
      search(withoutBits(left, candidate.items), [...chosen, candidate]);
    }
  }
  search(all, []);
  return best.map(({ index }) => index).sort((a, b) => a - b);
}

function numberItems<Item>(sets: readonly ReadonlySet<Item>[]): Map<Item, number> {
  const numbers = new Map<Item, number>();
  for (const set of sets) {
    for (const item of set) if (!numbers.has(item)) numbers.set(item, numbers.size);
  }
  return numbers;
}

function candidatesOf<Item>(
  sets: readonly ReadonlySet<Item>[],
  numbers: ReadonlyMap<Item, number>,
): Candidate[] {
  return sets.map((set, index) => {
    const members = [...set].map((item) => numbers.get(item) ?? 0);
    return { index, items: bitSet(members, numbers.size), size: set.size };
  });
}

/** Sorted by size, largest first, without sets contained in another one. */
function withoutContained(candidates: readonly Candidate[]): Candidate[] {
  const maximal: Candidate[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.size - a.size)) {
    const isContained = maximal.some(({ items }) => countWithout(candidate.items, items) === 0);
    if (candidate.size > 0 && !isContained) maximal.push(candidate);
  }
  return maximal;
}

/** The candidates that hold each item, fewest first: every cover contains one of them. */
function holdersOf(candidates: readonly Candidate[], items: number): Holders[] {
  return Array.from({ length: items }, (_, item) => ({
    item,
    candidates: candidates.filter((candidate) => hasBit(candidate.items, item)),
  })).sort((a, b) => a.candidates.length - b.candidates.length);
}

/** Repeatedly selects the set that adds the most items. */
function greedyCover(candidates: readonly Candidate[], all: BitSet): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let left = all;
  for (;;) {
    let largest = 0;
    let next: Candidate | undefined;
    for (const candidate of candidates) {
      const added = candidate.size - countWithout(candidate.items, left);
      if (added > largest) [largest, next] = [added, candidate];
    }
    if (next === undefined) return chosen;
    chosen.push(next);
    left = withoutBits(left, next.items);
  }
}

import { type BitSet, bitSet, countWithout, hasBit, withoutBits } from './bit-set.ts';

type Candidate = { readonly place: number; readonly items: BitSet; readonly size: number };

type Holders = { readonly item: number; readonly candidates: readonly Candidate[] };

/** Sets that may be tried in search of a smaller cover: a few milliseconds. */
const MOST_TRIES = 10_000;

/**
 * Places, ascending, of the fewest sets that together hold every item that any of them holds. Exact while the tries
 * last, which dozens of sets that overlap crosswise use up; from there on the smallest cover that was found. The same
 * sets in the same order give the same places, and of equal sets the first is taken.
 */
export function findSmallestCover<Item>(
  sets: readonly ReadonlySet<Item>[],
  mostTries = MOST_TRIES,
): number[] {
  const numbers = numbered(sets);
  const candidates = withoutContained(candidatesOf(sets, numbers));
  const holders = holdersOf(candidates, numbers.size);
  const all = bitSet(numbers.values(), numbers.size);
  const none = bitSet([], numbers.size);
  const largest = candidates[0]?.size ?? 0;
  let best = greedyCover(candidates, all);
  let tries = mostTries;

  function search(left: BitSet, chosen: readonly Candidate[]): void {
    const scarce = holders.find(({ item }) => hasBit(left, item));
    if (scarce === undefined) best = chosen;
    const fewest = chosen.length + Math.ceil(countWithout(left, none) / largest);
    for (const candidate of scarce?.candidates ?? []) {
      if (fewest >= best.length || tries === 0) return;
      tries--;
      search(withoutBits(left, candidate.items), [...chosen, candidate]);
    }
  }
  search(all, []);
  return best.map(({ place }) => place).sort((a, b) => a - b);
}

function numbered<Item>(sets: readonly ReadonlySet<Item>[]): Map<Item, number> {
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
  return sets.map((set, place) => {
    const own = [...set].map((item) => numbers.get(item) ?? 0);
    return { place, items: bitSet(own, numbers.size), size: set.size };
  });
}

/** Largest first, without those that hold nothing more than another one. */
function withoutContained(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.size - a.size)) {
    const isContained = kept.some(({ items }) => countWithout(candidate.items, items) === 0);
    if (candidate.size > 0 && !isContained) kept.push(candidate);
  }
  return kept;
}

/** Who holds each item, that with the fewest first: one of these is in every cover. */
function holdersOf(candidates: readonly Candidate[], items: number): Holders[] {
  return Array.from({ length: items }, (_, item) => ({
    item,
    candidates: candidates.filter((candidate) => hasBit(candidate.items, item)),
  })).sort((a, b) => a.candidates.length - b.candidates.length);
}

/** Takes the set that adds the most, again and again. */
function greedyCover(candidates: readonly Candidate[], all: BitSet): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let left = all;
  for (;;) {
    let most = 0;
    let next: Candidate | undefined;
    for (const candidate of candidates) {
      const added = candidate.size - countWithout(candidate.items, left);
      if (added > most) [most, next] = [added, candidate];
    }
    if (next === undefined) return chosen;
    chosen.push(next);
    left = withoutBits(left, next.items);
  }
}

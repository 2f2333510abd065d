/** The path that resembles a requested one most, such as `/a/{x}`; undefined if none resembles it. */
export type NearestPath = (requested: string) => string | undefined;

/** Longer paths are compared by their beginning, so that the work per request is bounded. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_LENGTH = 40;

/** Shorter values of a parameter are more likely a misspelled word. */
const ADDRESS_LENGTH = 32;

/** The cost of a segment or character that is added or missing. */
const ITEM_COST = 1;

/** An entirely different word is one that is missing and one that is added. */
const DIFFERENT_WORD_COST = 2 * ITEM_COST;

const SHORT_PARAMETER_COST = 1;

/** Per segment of both paths: `/prices` is close to `/price` (0.17) and `/tokens` to `/tokens-api/tokens` (0.33), not
 * `/status` to `/strategies` (0.5). */
const MAX_COST_PER_SEGMENT = 0.4;

/** A known path, with its segments as indexes of distinct words. */
type KnownPath = { readonly path: string; readonly words: readonly number[] };

/**
 * Compares paths segment by segment. `list` is called once, on the first call: all routes are known then. The result
 * never contains a part of the requested path.
 */
export function createNearestPath(list: () => readonly string[]): NearestPath {
  let index: ReturnType<typeof createIndex> | undefined;
  return (requested) => {
    index ??= createIndex(list());
    const segments = segmentsOf(requested);
    // Most paths share their words, so each word is compared once.
    const costs = index.words.map((word) => segments.map((segment) => segmentCost(word, segment)));
    let nearest: (KnownPath & { readonly cost: number }) | undefined;
    for (const { path, words } of index.paths) {
      const cost = editDistance(words.length, segments.length, (row, column) => {
        return costs[words[row] ?? 0]?.[column] ?? 0;
      });
      if (nearest === undefined || cost < nearest.cost) nearest = { path, words, cost };
    }
    if (nearest === undefined) return undefined;
    const limit = MAX_COST_PER_SEGMENT * (nearest.words.length + segments.length);
    return nearest.cost <= limit ? nearest.path : undefined;
  };
}

function createIndex(paths: readonly string[]) {
  const indexes = new Map<string, number>();
  const indexOf = (word: string): number => {
    const found = indexes.get(word) ?? indexes.size;
    indexes.set(word, found);
    return found;
  };
  const known = paths.map((path): KnownPath => ({ path, words: segmentsOf(path).map(indexOf) }));
  return { paths: known, words: [...indexes.keys()] };
}

const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/', MAX_SEGMENTS * 2)
    .filter((segment) => segment !== '')
    .slice(0, MAX_SEGMENTS)
    .map((segment) => segment.slice(0, MAX_SEGMENT_LENGTH).toLowerCase());

function segmentCost(known: string, requested: string): number {
  if (known.startsWith('{')) return requested.length < ADDRESS_LENGTH ? SHORT_PARAMETER_COST : 0;
  if (known === requested) return 0;
  const longer = Math.max(known.length, requested.length);
  if (2 * Math.min(known.length, requested.length) < longer) return DIFFERENT_WORD_COST;
  const distance = editDistance(known.length, requested.length, (row, column) => {
    return known.charCodeAt(row) === requested.charCodeAt(column) ? 0 : ITEM_COST;
  });
  return (DIFFERENT_WORD_COST * distance) / longer;
}

/** Levenshtein distance of two sequences. `costOf` is the cost of changing an item of the first into one of the second. */
function editDistance(
  rows: number,
  columns: number,
  costOf: (row: number, column: number) => number,
): number {
  // One row at a time: the cell above is still in place, the one above to the left is kept aside.
  const distances = new Float64Array(columns + 1);
  for (let column = 0; column <= columns; column++) distances[column] = column * ITEM_COST;
  for (let row = 0; row < rows; row++) {
    let diagonal = row * ITEM_COST;
    let left = diagonal + ITEM_COST;
    distances[0] = left;
    for (let column = 0; column < columns; column++) {
      const above = distances[column + 1] ?? 0;
      left = Math.min(diagonal + costOf(row, column), above + ITEM_COST, left + ITEM_COST);
      distances[column + 1] = left;
      diagonal = above;
    }
  }
  return distances[columns] ?? 0;
}

/** Shorter words are too alike for a correction. */
const SHORTEST_WORD = 4;
const TWO_ERRORS_FROM = 8;
/** Words of this length are also compared with the beginning of longer ones, because they are still being typed. */
const SHORTEST_BEGINNING = 6;

/**
 * Number of letters that are wrong, missing, too many or swapped with the next one in a word that means another;
 * undefined if there are more than typing errors.
 */
export function countTypos(typed: string, word: string): number | undefined {
  const limit = typed.length < TWO_ERRORS_FROM ? 1 : 2;
  if (typed.length < SHORTEST_WORD || word.length < typed.length - limit) return undefined;
  const acceptsBeginning = typed.length >= SHORTEST_BEGINNING;
  if (!acceptsBeginning && word.length > typed.length + limit) return undefined;
  const distances = lastDistances(typed, word.slice(0, typed.length + limit));
  const distance = acceptsBeginning ? Math.min(...distances) : (distances.at(-1) ?? limit + 1);
  return distance <= limit ? distance : undefined;
}

/** Distances of a text to every beginning of a word: optimal string alignment. */
function lastDistances(text: string, word: string): readonly number[] {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: word.length + 1 }, (_, length) => length);
  for (let row = 1; row <= text.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const isEqual = text[row - 1] === word[column - 1];
      const isSwapped = text[row - 1] === word[column - 2] && text[row - 2] === word[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isEqual ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = current;
  }
  return last;
}

const at = (distances: readonly number[], index: number): number =>
  distances[index] ?? Number.POSITIVE_INFINITY;

import type { Candidate, Mutant } from './mutation.ts';
import { createRandom, type Random } from './seeded-random.ts';

/** The fewest lines of a package, unless fewer are chosen in all. */
const MIN_PER_PACKAGE = 3;

/**
 * Chooses `count` lines, and one mutation for each. The same seed and candidates give the same choice; a change in one
 * package changes the choice in others only as far as its share does.
 */
export function chooseMutants(
  candidates: readonly Candidate[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Mutant[] {
  const names = [...new Set(candidates.map(({ package: name }) => name))].sort();
  const groups = names.map((name) => candidates.filter((line) => line.package === name));
  const shares = divide(
    groups.map(({ length }) => length),
    count,
  );
  const chosen = names.flatMap((name, index) => {
    const random = createRandom(`${seed} ${name}`);
    return sample(groups[index] ?? [], shares[index] ?? 0, random)
      .map((candidate) => mutantOf(candidate, random))
      .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  });
  return chosen.map((mutant, index) => ({ number: index + 1, ...mutant }));
}

/** Divides `count` in proportion to the sizes, by the largest remainders, with a minimum for each. */
export function divide(sizes: readonly number[], count: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const minimum = Math.min(MIN_PER_PACKAGE, Math.floor(count / Math.max(sizes.length, 1)));
  const floors = sizes.map((size) => Math.min(size, minimum));
  const shares = [...floors];
  let left = Math.min(count, total) - shares.reduce((sum, share) => sum + share, 0);
  for (; left > 0; left -= 1) {
    const deficits = sizes.map((size, index) =>
      (shares[index] ?? 0) < size ? (count * size) / total - (shares[index] ?? 0) : -Infinity,
    );
    const next = deficits.indexOf(Math.max(...deficits));
    shares[next] = (shares[next] ?? 0) + 1;
  }
  return shares;
}

function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(random(rest.length), 1),
  ).flat();
}

function mutantOf({ mutations, ...line }: Candidate, random: Random): Omit<Mutant, 'number'> {
  // the type checker already finds most changed strings
  const preferred = mutations.filter(({ operator }) => operator !== 'string');
  const choices = preferred.length > 0 ? preferred : mutations;
  const mutation = choices[random(choices.length)];
  if (mutation === undefined) throw new Error(`${line.file}:${line.line} has no mutation`);
  return { ...line, ...mutation };
}

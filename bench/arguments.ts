/** What a call of `npm run bench` asks for. */
export type BenchRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'smoke'; readonly names: readonly string[] }
  | { readonly kind: 'costs' }
  | {
      readonly kind: 'full';
      readonly names: readonly string[];
      /** Passed to the only benchmark. */
      readonly sizes: readonly string[];
    };

/** Reads the arguments. Throws with a sentence for the user if they are wrong. */
export function parseBenchArguments(
  args: readonly string[],
  known: readonly string[],
): BenchRequest {
  const isSmoke = args.includes('--smoke');
  const words = args.filter((arg) => arg !== '--smoke');
  const names = words.filter((word) => !isSize(word));
  const sizes = words.filter(isSize);
  if (isSmoke && sizes.length > 0) throw new Error('A smoke run has sizes of its own.');
  if (!isSmoke && words.length === 0) return { kind: 'list' };
  if (!isSmoke && words.length === 1 && names[0] === 'costs') return { kind: 'costs' };
  const selected = names.length === 0 || names.join() === 'all' ? known : names;
  const unknown = selected.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no benchmark "${unknown}". Choose from ${known.join(', ')}.`);
  }
  if (isSmoke) return { kind: 'smoke', names: selected };
  if (sizes.length > 0 && names.length !== 1) {
    throw new Error(`The size ${sizes.join(' ')} belongs to one benchmark, so name one.`);
  }
  return { kind: 'full', names: selected, sizes };
}

const isSize = (word: string): boolean => /^\d/.test(word);

/** A size of a benchmark. Throws if the text is not a positive number. */
export function parseSize(name: string, text: string): number {
  const size = Number(text);
  if (text.trim() === '' || !Number.isFinite(size) || size <= 0) {
    throw new Error(`${name} must be a positive number, not "${text}".`);
  }
  return size;
}

/** A replacement of some text of a source file. */
export type Mutation = {
  readonly operator: string;
  /** Offsets in the file, the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

/** A line of the product, broken in one way. */
export type Mutant = Mutation & {
  /** Counted from 1 in the choice. */
  readonly number: number;
  readonly package: string;
  /** Path in the repository. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
};

/** A line that operators apply to. */
export type Candidate = Pick<Mutant, 'package' | 'file' | 'line'> & {
  readonly mutations: readonly Mutation[];
};

export function applyMutation(source: string, { start, end, text }: Mutation): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** The line as it is and as it becomes, without indentation. */
export function describeMutation(source: string, mutation: Mutation) {
  const from = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const lineEnd = source.indexOf('\n', mutation.end);
  const to = lineEnd < 0 ? source.length : lineEnd;
  const original = source.slice(from, to);
  const mutated =
    source.slice(from, mutation.start) + mutation.text + source.slice(mutation.end, to);
  return { original: onOneLine(original), mutated: onOneLine(mutated) };
}

const onOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');

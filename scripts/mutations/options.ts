import { parseArgs } from 'node:util';

export type MutationOptions = {
  readonly seed: number;
  readonly lines: number;
  /** Numbers of the chosen mutants, counted from 1; empty for all. */
  readonly only: readonly number[];
  /** Patterns of test files; empty for all. */
  readonly files: readonly string[];
  /** Where the coverage is stored. */
  readonly coverage: string | undefined;
  readonly out: string | undefined;
  /** A report whose mutants that were found are tried again, instead of a choice by seed. */
  readonly compare: string | undefined;
  /** Only prints the chosen mutants. */
  readonly isDryRun: boolean;
};

export function parseOptions(args: readonly string[]): MutationOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      lines: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: [] },
      files: { type: 'string', multiple: true, default: [] },
      coverage: { type: 'string' },
      out: { type: 'string' },
      compare: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  return {
    seed: wholeNumber('seed', values.seed),
    lines: wholeNumber('lines', values.lines),
    only: values.only.flatMap((list) => list.split(',')).map((text) => wholeNumber('only', text)),
    files: [...values.files, ...positionals],
    coverage: values.coverage,
    out: values.out,
    compare: values.compare,
    isDryRun: values['dry-run'],
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
  return Number(text);
}

/** Whether a path matches one of the patterns, which may have `*` and `**`. No patterns match everything. */
export function matchesPatterns(path: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => patternToRegExp(pattern).test(path));
}

function patternToRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*\*|\*/g, (stars) =>
      stars === '*' ? '[^/]*' : stars === '**' ? '.*' : '(?:.*/)?',
    );
  return new RegExp(`^${source}$`);
}

import type { Slot } from '../../base/time.ts';
import {
  type ProgramName,
  type ProgramRules,
  programTables,
  type RulesAt,
} from './program-rules.ts';

/** A program runs a release of its table from a slot on. */
export type RunningRelease = {
  readonly program: ProgramName;
  readonly version: string;
  readonly from: Slot;
};

const combined = new WeakMap<ProgramRules, Map<string, ProgramRules>>();

/** Rules with those of some releases instead. Equal arguments give the same object. */
export function withReleases(
  rules: ProgramRules,
  releases: ReadonlyMap<ProgramName, string>,
): ProgramRules {
  if (releases.size === 0) return rules;
  const known = combined.get(rules) ?? new Map<string, ProgramRules>();
  combined.set(rules, known);
  const key = [...releases].map(([program, version]) => `${program}@${version}`).join();
  const found = known.get(key) ?? replaceParts(rules, releases);
  known.set(key, found);
  return found;
}

function replaceParts(
  rules: ProgramRules,
  releases: ReadonlyMap<ProgramName, string>,
): ProgramRules {
  const parts = [...releases].flatMap(([program, version]) => {
    const { part, releases: table } = programTables[program];
    const release = table.find((each) => each.version === version);
    return part === undefined || release === undefined ? [] : [[part, release.rules]];
  });
  return parts.length === 0 ? rules : { ...rules, ...Object.fromEntries(parts) };
}

/** The rules of a cluster by slot: those that are known beforehand, and those of releases that it was seen to run. */
export class ReleaseOverlay {
  readonly #base: RulesAt;
  #releases: readonly RunningRelease[] = [];

  constructor(base: RulesAt) {
    this.#base = base;
  }

  /** Replaces the releases that were seen. Returns whether they are others than before. */
  set(releases: readonly RunningRelease[]): boolean {
    const sorted = releases.toSorted((a, b) => Number(a.from - b.from));
    const isSame = textOf(sorted) === textOf(this.#releases);
    this.#releases = sorted;
    return !isSame;
  }

  readonly rulesAt: RulesAt = (slot) => {
    const running = new Map<ProgramName, string>();
    for (const { program, version, from } of this.#releases) {
      if (from <= slot) running.set(program, version);
    }
    return withReleases(this.#base(slot), running);
  };
}

const textOf = (releases: readonly RunningRelease[]): string =>
  releases.map(({ program, version, from }) => `${program}@${version}:${from}`).join();

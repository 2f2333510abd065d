import { CodedError } from '../../base/errors.ts';
import { findRelease, newestRelease } from '../../base/solana/program-release.ts';
import { type Slot, toSlot } from '../../base/time.ts';
import {
  isProgramName,
  mainnetRulesAt,
  NEWEST_RULES,
  PROGRAM_NAMES,
  type ProgramName,
  type ProgramRules,
  programTables,
  type RulesAt,
  rulesByPeriod,
} from './program-rules.ts';
import type { RunningRelease } from './release-overlay.ts';

/** The releases that mainnet ran in each slot. */
const MAINNET = 'mainnet';
const RELEASE = String.raw`\w+@[\d.]+(:\d{1,18})?`;
const RELEASES = new RegExp(`^${RELEASE}(,${RELEASE})*$`);

/** Whether the text names releases, and no folder. */
export const namesReleases = (text: string): boolean => text === MAINNET || RELEASES.test(text);

/**
 * The rules of releases such as `klend@1.16,kvault@2.1.1`. With a slot, as in `klend@1.24,klend@1.25:440486775`, a release
 * replaces the one before it in that slot. `mainnet` stands for the releases that mainnet ran in each slot. Programs that
 * are not named have the rules of their newest release. Throws for a program or a release that is not known, and for one
 * that replaces nothing.
 */
export function rulesOfReleases(text: string): RulesAt {
  if (text === MAINNET) return mainnetRulesAt;
  const upgrades = text.split(',').map(parseUpgrade);
  for (const { named, program } of upgrades.filter(({ from }) => from !== undefined)) {
    const hasFirst = upgrades.some((one) => one.program === program && one.from === undefined);
    if (!hasFirst) throw unknownRelease(`${named} without the release before it`);
  }
  const changes = upgrades.flatMap(({ from }) => from ?? []);
  return rulesByPeriod(changes, (slot) => rulesFrom(upgrades, slot));
}

/**
 * The releases of the table that such a text stands for, with the slots from which they run: 0 for those that always did.
 * Empty text stands for the newest releases. Throws as `rulesOfReleases` does.
 */
export function listScheduledReleases(text: string): readonly RunningRelease[] {
  const first = toSlot(0n);
  if (text === MAINNET) {
    return PROGRAM_NAMES.flatMap((program) =>
      programTables[program].releases.flatMap(({ version, deploySlot }) =>
        deploySlot === 'not deployed' ? [] : [{ program, version, from: deploySlot }],
      ),
    );
  }
  const newest = PROGRAM_NAMES.map((program) => {
    const { version } = newestRelease(programTables[program].releases);
    return { program, version, from: first };
  });
  const upgrades = text === '' ? [] : text.split(',').map(parseUpgrade);
  const named = upgrades.map(({ name, version, from = first }) => {
    return { program: name, version, from };
  });
  const isReplaced = (program: ProgramName) => named.some((each) => each.program === program);
  return [...newest.filter(({ program }) => !isReplaced(program)), ...named].toSorted((a, b) =>
    Number(a.from - b.from),
  );
}

/** A program gets the rules of a release, from a slot on or always. */
type Upgrade = {
  readonly named: string;
  readonly name: ProgramName;
  /** As in the table. */
  readonly version: string;
  readonly program: keyof ProgramRules;
  readonly rules: unknown;
  readonly from: Slot | undefined;
};

function parseUpgrade(named: string): Upgrade {
  const [name = '', rest = ''] = named.split('@');
  const [version = '', from] = rest.split(':');
  if (!isProgramName(name)) throw unknownRelease(named);
  const { part: program, releases } = programTables[name];
  const release = findRelease(releases, version);
  if (program === undefined || release === undefined) throw unknownRelease(named);
  return {
    named,
    name,
    version: release.version,
    program,
    rules: release.rules,
    from: from === undefined ? from : toSlot(BigInt(from)),
  };
}

/** Later ones replace earlier ones. */
function rulesFrom(upgrades: readonly Upgrade[], slot: Slot): ProgramRules {
  const changed = upgrades
    .filter(({ from = 0n }) => from <= slot)
    .toSorted((a, b) => Number((a.from ?? 0n) - (b.from ?? 0n)))
    .map(({ program, rules }) => [program, rules] as const);
  return { ...NEWEST_RULES, ...Object.fromEntries(changed) };
}

const unknownRelease = (release: string): CodedError =>
  new CodedError('UNKNOWN_RELEASE', { release, known: knownReleases() });

const knownReleases = (): string =>
  PROGRAM_NAMES.filter((name) => programTables[name].part !== undefined)
    .flatMap((name) => programTables[name].releases.map(({ version }) => `${name}@${version}`))
    .join(', ');

import { CodedError } from '../../base/errors.ts';
import { findRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { farmsReleases } from '../farms/releases.ts';
import { klendReleases } from '../klend/releases.ts';
import { kvaultReleases } from '../kvault/releases.ts';
import { NEWEST_RULES, type ProgramRules } from './program-rules.ts';

/** The programs whose releases differ, and the part of the rules that is theirs. */
const tables: ReadonlyMap<string, readonly [keyof ProgramRules, ReleaseTable<unknown>]> = new Map([
  ['klend', ['lending', klendReleases]],
  ['kvault', ['vaults', kvaultReleases]],
  ['farms', ['farms', farmsReleases]],
]);

/** Whether the text names releases, and no folder. */
export const namesReleases = (text: string): boolean => /^\w+@[\d.]+(,\w+@[\d.]+)*$/.test(text);

/**
 * The rules of releases such as `klend@1.16,kvault@2.1.1`. Programs that are not named have those of their newest release.
 * Throws for a program or a release that is not known.
 */
export function rulesOfReleases(text: string): ProgramRules {
  let rules = NEWEST_RULES;
  for (const named of text.split(',')) {
    const [program = '', version = ''] = named.split('@');
    const [part, table] = tables.get(program) ?? [];
    const release = table && findRelease(table, version);
    if (part === undefined || release === undefined) {
      throw new CodedError('UNKNOWN_RELEASE', { release: named, known: knownReleases() });
    }
    rules = { ...rules, [part]: release.rules };
  }
  return rules;
}

const knownReleases = (): string =>
  [...tables]
    .flatMap(([name, [, table]]) => table.map(({ version }) => `${name}@${version}`))
    .join(', ');

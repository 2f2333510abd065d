import { findRelease } from '#core/base/solana/program-release.ts';
import type { LendingRules } from '#core/protocol/klend/lending-rules.ts';
import { klendReleases } from '#core/protocol/klend/releases.ts';

/** The rules of a release of the lending program, such as `1.16`. */
export function releaseRules(version: string): LendingRules {
  const release = findRelease(klendReleases, version);
  if (release === undefined) throw new Error(`no release ${version}`);
  return release.rules;
}

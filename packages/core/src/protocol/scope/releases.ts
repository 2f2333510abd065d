import type { ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';

/** The release of the oracle program whose price rules are known. Its deployment is not recorded. */
export const scopeReleases: ReleaseTable<undefined> = [
  { version: '0.40.0', deploySlot: toSlot(0n), isEstimated: true, rules: undefined },
];

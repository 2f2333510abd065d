import { toAddress } from '../../base/encoding/address.ts';
import type { ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';

export const SCOPE_PROGRAM = toAddress('HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ');
export const SCOPE_STAGING_PROGRAM = toAddress('scpStzYvKzE7DHwsGMP5XLhcMTuLr3feoiC9mJ3yHr5');
export const SCOPE_DEVNET_PROGRAM = toAddress('3Vw8Ngkh1MVJTPHthmUbmU2XKtFEkjYvJzMqrv2rh9yX');

/** All deployments with these account layouts. */
export const SCOPE_PROGRAMS = [SCOPE_PROGRAM, SCOPE_STAGING_PROGRAM, SCOPE_DEVNET_PROGRAM];

/** The release of the oracle program whose price rules are known. Its deployment is not recorded. */
export const scopeReleases: ReleaseTable<undefined> = [
  { version: '0.40.0', deploySlot: toSlot(0n), isEstimated: true, rules: undefined },
];

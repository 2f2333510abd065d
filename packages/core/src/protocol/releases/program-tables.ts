import type { Address } from '../../base/encoding/address.ts';
import { findRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { FARMS_PROGRAM } from '../farms/program.ts';
import { farmsReleases } from '../farms/releases.ts';
import { KLEND_PROGRAM } from '../klend/program.ts';
import { klendReleases } from '../klend/releases.ts';
import { KVAULT_DEVNET_PROGRAM, KVAULT_PROGRAM } from '../kvault/program.ts';
import { kvaultReleases } from '../kvault/releases.ts';
import { SCOPE_DEVNET_PROGRAM, SCOPE_PROGRAM } from '../scope/program.ts';
import { scopeReleases } from '../scope/releases.ts';
import type { ProgramRules } from './program-rules.ts';

export const PROGRAM_NAMES = ['klend', 'kvault', 'farms', 'scope'] as const;

export type ProgramName = (typeof PROGRAM_NAMES)[number];

type ProgramTable = {
  /** The part of the rules that differs between its releases; undefined for the oracle program. */
  readonly part: keyof ProgramRules | undefined;
  readonly releases: ReleaseTable<unknown>;
  readonly addresses: { readonly usual: Address; readonly devnet: Address };
};

const onAllClusters = (address: Address) => ({ usual: address, devnet: address });

/** Releases and addresses of the programs whose releases are known. */
export const programTables: Readonly<Record<ProgramName, ProgramTable>> = {
  klend: { part: 'lending', releases: klendReleases, addresses: onAllClusters(KLEND_PROGRAM) },
  kvault: {
    part: 'vaults',
    releases: kvaultReleases,
    addresses: { usual: KVAULT_PROGRAM, devnet: KVAULT_DEVNET_PROGRAM },
  },
  farms: { part: 'farms', releases: farmsReleases, addresses: onAllClusters(FARMS_PROGRAM) },
  scope: {
    part: undefined,
    releases: scopeReleases,
    addresses: { usual: SCOPE_PROGRAM, devnet: SCOPE_DEVNET_PROGRAM },
  },
};

export const isProgramName = (text: string): text is ProgramName =>
  PROGRAM_NAMES.some((name) => name === text);

/** The version in the table whose rules a release has; undefined if the release is not known. */
export const tableVersion = (program: ProgramName, version: string): string | undefined =>
  findRelease(programTables[program].releases, version)?.version;

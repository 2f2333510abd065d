import type { Address } from '../../base/encoding/address.ts';
import {
  findRelease,
  newestRelease,
  type ReleaseTable,
  releaseAt,
} from '../../base/solana/program-release.ts';
import { type Slot, toSlot } from '../../base/time.ts';
import { FARMS_PROGRAM } from '../farms/program.ts';
import { type FarmsRules, farmsReleases } from '../farms/releases.ts';
import type { LendingRules } from '../klend/lending-rules.ts';
import { KLEND_PROGRAM } from '../klend/program.ts';
import { klendReleases } from '../klend/releases.ts';
import { KVAULT_DEVNET_PROGRAM, KVAULT_PROGRAM } from '../kvault/program.ts';
import { kvaultReleases, type VaultRules } from '../kvault/releases.ts';
import { SCOPE_DEVNET_PROGRAM, SCOPE_PROGRAM, scopeReleases } from '../scope/program.ts';

/** The rules of all programs of a cluster in a slot. */
export type ProgramRules = {
  readonly lending: LendingRules;
  readonly vaults: VaultRules;
  readonly farms: FarmsRules;
};

export type RulesAt = (slot: Slot) => ProgramRules;

/** The rules of the newest known releases. */
export const NEWEST_RULES: ProgramRules = {
  lending: newestRelease(klendReleases).rules,
  vaults: newestRelease(kvaultReleases).rules,
  farms: newestRelease(farmsReleases).rules,
};

/** Rules by the slots in which they change: `rulesFrom` has those from a slot on. */
export function rulesByPeriod(
  changes: readonly Slot[],
  rulesFrom: (slot: Slot) => ProgramRules,
): RulesAt {
  const periods = [...new Set([toSlot(0n), ...changes])]
    .toSorted((a, b) => Number(a - b))
    .map((from) => ({ from, rules: rulesFrom(from) }));
  return (slot) => periods.findLast(({ from }) => from <= slot)?.rules ?? NEWEST_RULES;
}

const deploySlots = [klendReleases, kvaultReleases, farmsReleases].flatMap((table) =>
  table.flatMap(({ deploySlot }) => (deploySlot === 'not deployed' ? [] : deploySlot)),
);

/** The rules of the releases that mainnet ran in the slot. */
export const mainnetRulesAt: RulesAt = rulesByPeriod(deploySlots, (slot) => ({
  lending: releaseAt(klendReleases, slot).rules,
  vaults: releaseAt(kvaultReleases, slot).rules,
  farms: releaseAt(farmsReleases, slot).rules,
}));

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

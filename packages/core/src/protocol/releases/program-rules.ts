import { newestRelease, releaseAt } from '../../base/solana/program-release.ts';
import { type Slot, toSlot } from '../../base/time.ts';
import type { FarmsRules } from '../farms/farms-rules.ts';
import { farmsReleases } from '../farms/releases.ts';
import type { LendingRules } from '../klend/lending-rules.ts';
import { klendReleases } from '../klend/releases.ts';
import { kvaultReleases } from '../kvault/releases.ts';
import type { VaultRules } from '../kvault/vault-rules.ts';

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

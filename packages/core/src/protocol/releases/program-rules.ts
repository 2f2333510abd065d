import { newestRelease, releaseAt } from '../../base/solana/program-release.ts';
import type { Slot } from '../../base/time.ts';
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

/** The rules of the releases that mainnet ran in the slot. */
export const mainnetRulesAt: RulesAt = (slot) => ({
  lending: releaseAt(klendReleases, slot).rules,
  vaults: releaseAt(kvaultReleases, slot).rules,
  farms: releaseAt(farmsReleases, slot).rules,
});

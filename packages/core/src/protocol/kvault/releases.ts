import { newestRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';
import type { VaultRules } from './vault-rules.ts';

const rules2_1: VaultRules = {
  withdrawRounding: 'one cToken more',
  ctokenRounding: '60 bits first',
  depositCap: 'none',
  limitInstructions: 'absent',
  depositBalanceCheck: 'wallet',
  holdingsOverflow: 'panic',
  evacuation: 'above the minimum',
  investOrder: 'minimum first',
  reserveListOrder: 'refresh first',
  inKindValue: 'totals',
  unsetCap: 'zero',
  permissioning: 'none',
  investCallSize: 40,
};

const rules2_2: VaultRules = {
  withdrawRounding: 'exact',
  ctokenRounding: 'exact',
  depositCap: 'cuts',
  limitInstructions: 'present',
  depositBalanceCheck: 'vault',
  holdingsOverflow: 'MathOverflow',
  evacuation: 'any amount',
  investOrder: 'whitelist first',
  reserveListOrder: 'compare first',
  inKindValue: 'exchange rate',
  unsetCap: 'U64_MAX',
  permissioning: 'none',
  investCallSize: 16,
};

const rules2_3: VaultRules = { ...rules2_2, permissioning: 'authority' };

/** Releases of the vault program whose rules differ from the one before. */
export const kvaultReleases: ReleaseTable<VaultRules> = [
  { version: '2.1.1', deploySlot: toSlot(0n), rules: rules2_1 },
  { version: '2.2.2', deploySlot: toSlot(432_874_668n), rules: rules2_2 },
  { version: '2.3.0', deploySlot: toSlot(452_240_450n), rules: rules2_3 },
];

/** The rules of the newest known release. */
export const NEWEST_VAULT_RULES: VaultRules = newestRelease(kvaultReleases).rules;

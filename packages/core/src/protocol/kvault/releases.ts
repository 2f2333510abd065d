import { newestRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';

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

/**
 * The rules that differ between releases of the vault program, see `kvaultReleases`. An operation takes the rules of
 * its slot where it begins, and passes them on.
 */
export type VaultRules = {
  /** A withdrawal redeems exactly the cTokens that it needs, rounded up, or usually one more. */
  readonly withdrawRounding: 'exact' | 'one cToken more';
  /** Amounts of `invest` and of pending fees are rounded once, or to 60 bits first and then to a lamport. */
  readonly ctokenRounding: 'exact' | '60 bits first';
  /** A deposit is reduced to the room below the vault's deposit cap, or the release has no cap. */
  readonly depositCap: 'cuts' | 'none';
  /** Whether there are instructions with a limit: `depositWithMinSharesOut`, `investWithMaxAmount` and others. */
  readonly limitInstructions: 'present' | 'absent';
  /** The vault's balance must grow by the exact amount of a deposit, or only the wallet's balance is checked. */
  readonly depositBalanceCheck: 'vault' | 'wallet';
  /** An investment whose value exceeds 128 bits is the error 7002, or a panic. */
  readonly holdingsOverflow: 'MathOverflow' | 'panic';
  /** A reserve without weight is emptied whatever its size, or only if that exceeds the minimum of `invest`. */
  readonly evacuation: 'any amount' | 'above the minimum';
  /** The first check of the amount in `invest`. */
  readonly investOrder: 'whitelist first' | 'minimum first';
  /** The listed reserves are compared with the allocations before they are refreshed, or after. */
  readonly reserveListOrder: 'compare first' | 'refresh first';
  /** Redeeming in kind values cTokens at the exchange rate, or by the totals of the reserve, which may be zero. */
  readonly inKindValue: 'exchange rate' | 'totals';
  /** The stored deposit cap of a new vault and cToken cap of a removed allocation, which both mean no cap. */
  readonly unsetCap: 'U64_MAX' | 'zero';
  /** Whether users of a vault need the signature of its `permissioningAuthority`, if it has one. */
  readonly permissioning: 'authority' | 'none';
  /** The data size of a call of `invest` to the lending program, padded with zeros. */
  readonly investCallSize: 16 | 40;
};

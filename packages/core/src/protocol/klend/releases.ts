import { newestRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';
import type { LendingRules } from './lending-rules.ts';

/** February 2025, the build that recorded the golden flows. */
const rules1_10: LendingRules = {
  exchangeRate: 'rounded ratio',
  depositAmount: 'whole amount',
  assetTiers: 'written',
  borrowTime: 'untouched',
  reserveAfterCombinedWithdrawal: 'fresh',
  compounding: 'powers first',
  accrualBasis: 'slots',
  zeroPrice: 'loaded',
  limitTimestamps: 'some operations',
  reserveAfterWithdrawal: 'fresh',
  durableNonces: 'allowed',
  councilSettings: 'two',
};

const rules1_11: LendingRules = {
  ...rules1_10,
  exchangeRate: 'ratio',
  depositAmount: 'worth of its cTokens',
  assetTiers: 'untouched',
  borrowTime: 'recorded',
  reserveAfterCombinedWithdrawal: 'stale',
};

const rules1_17: LendingRules = { ...rules1_11, compounding: 'term by term' };

const rules1_23: LendingRules = { ...rules1_17, councilSettings: 'six' };

const rules1_24: LendingRules = {
  ...rules1_23,
  limitTimestamps: 'every operation',
  reserveAfterWithdrawal: 'stale',
  durableNonces: 'blocked',
};

const rules1_25: LendingRules = {
  ...rules1_24,
  accrualBasis: 'of the reserve',
  zeroPrice: 'missing',
};

/** Releases of the lending program whose rules differ from the one before. */
export const klendReleases: ReleaseTable<LendingRules> = [
  { version: '1.10', deploySlot: toSlot(0n), rules: rules1_10 },
  { version: '1.11', deploySlot: toSlot(335_000_000n), isEstimated: true, rules: rules1_11 },
  { version: '1.17', deploySlot: toSlot(410_400_000n), isEstimated: true, rules: rules1_17 },
  { version: '1.23', deploySlot: toSlot(423_000_000n), isEstimated: true, rules: rules1_23 },
  { version: '1.24', deploySlot: toSlot(438_843_135n), rules: rules1_24 },
  {
    version: '1.25',
    deploySlot: toSlot(440_486_775n),
    executableHash: '9db16dd4b7bbfe4f13df850bf880bfc4522fcece06717c0626d625746a3cc85b',
    rules: rules1_25,
  },
];

/** The rules of the newest known release. */
export const NEWEST_LENDING_RULES: LendingRules = newestRelease(klendReleases).rules;

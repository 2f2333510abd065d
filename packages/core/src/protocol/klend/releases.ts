import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { newestRelease, type ReleaseTable } from '../../base/solana/program-release.ts';
import { toSlot } from '../../base/time.ts';
import type { LendingMarketView } from './layout/lending-market.ts';
import type { ReserveView } from './layout/reserve.ts';
import type { LendingRules } from './lending-rules.ts';
import { isKnownBasis } from './math/accrual/accrual-duration.ts';

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

/** An active rule that figures do not include. */
export type UnmodeledRule = {
  readonly rule: string;
  readonly field: string;
  readonly value: string;
};

/**
 * Active rules that decide who may use a market or reserve. Amounts are computed without them: whether the permissioning
 * authority signs is not on the chain, so a response can only warn about it.
 */
export function unmodeledMarketRules(market: LendingMarketView): UnmodeledRule[] {
  // Without an authority or an operation that needs it, nothing needs a permission.
  if (market.permissioningAuthority === ZERO_ADDRESS) return [];
  const ops = activeRules([['permissioned operations', 'permissionedOps', market.permissionedOps]]);
  if (ops.length === 0) return [];
  return [
    ...ops,
    ...activeRules([
      ['permissioned operations', 'permissioningAuthority', market.permissioningAuthority],
    ]),
  ];
}

/**
 * The permissions apply only if the market has a permissioning authority. No figure of a reserve with an unknown interest
 * rate basis can be computed.
 */
export const unmodeledReserveRules = ({ config }: ReserveView): UnmodeledRule[] => [
  ...activeRules([['permissioned operations', 'config.permissionedOps', config.permissionedOps]]),
  ...(isKnownBasis(config)
    ? []
    : activeRules([['interest rate basis', 'config.interestRateBasis', config.interestRateBasis]])),
];

type Candidate = readonly [rule: string, field: string, value: bigint | number | string];

const activeRules = (candidates: readonly Candidate[]): UnmodeledRule[] =>
  candidates
    .map(([rule, field, value]) => ({ rule, field, value: value.toString() }))
    .filter(({ value }) => value !== '0');

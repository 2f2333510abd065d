import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { LendingMarketView } from './layout/lending-market.ts';
import type { ReserveView } from './layout/reserve.ts';
import { isKnownBasis } from './math/accrual/accrual-duration.ts';

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

import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { LendingMarketView } from './layout/lending-market.ts';
import type { ReserveView } from './layout/reserve.ts';

/** An active rule of the deployed program that is newer than its public source. */
export type UnmodeledRule = {
  readonly rule: string;
  readonly field: string;
  readonly value: string;
};

/**
 * Active rules that change permissions or yields in ways that are not public. Affected values are computed with the
 * known rules only, so a response can warn about it.
 */
export function unmodeledMarketRules(market: LendingMarketView): UnmodeledRule[] {
  return activeRules([
    ['permissioned operations', 'permissionedOps', market.permissionedOps],
    // Without permissioned operations the authority has nothing to permit.
    [
      'permissioned operations',
      'permissioningAuthority',
      market.permissionedOps === 0n ? ZERO_ADDRESS : market.permissioningAuthority,
    ],
    ['reserve rewards', 'reserveRewardsMaxAprBps', market.reserveRewardsMaxAprBps],
    ['durable nonces', 'disableNonceBlock', market.disableNonceBlock],
  ]);
}

export function unmodeledReserveRules({ config, liquidity }: ReserveView): UnmodeledRule[] {
  return activeRules([
    ['permissioned operations', 'config.permissionedOps', config.permissionedOps],
    ['reserve rewards', 'config.rewardsAmountPerSlot', config.rewardsAmountPerSlot],
    ['reserve rewards', 'liquidity.rewardsAmountAvailable', liquidity.rewardsAmountAvailable],
    [
      'early repayment',
      'config.earlyRepayRemainingInterestPct',
      config.earlyRepayRemainingInterestPct,
    ],
  ]);
}

type Candidate = readonly [rule: string, field: string, value: bigint | number | string];

const activeRules = (candidates: readonly Candidate[]): UnmodeledRule[] =>
  candidates
    .map(([rule, field, value]) => ({ rule, field, value: value.toString() }))
    .filter(({ value }) => value !== '0' && value !== ZERO_ADDRESS);

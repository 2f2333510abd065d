import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { LendingMarketView } from './layout/lending-market.ts';
import type { ReserveView } from './layout/reserve.ts';

/** A rule of the deployed program that is newer than its public source and is switched on. */
export type UnmodeledRule = {
  readonly rule: string;
  readonly field: string;
  readonly value: string;
};

/**
 * Rules that change what a caller may do or earn and that nobody outside can compute. While one is in use,
 * figures that it touches are those of the rules that are known, and an answer can say so.
 */
export function unmodeledMarketRules(market: LendingMarketView): UnmodeledRule[] {
  return inUse([
    ['permissioned operations', 'permissionedOps', market.permissionedOps],
    ['permissioned operations', 'permissioningAuthority', market.permissioningAuthority],
    ['reserve rewards', 'reserveRewardsMaxAprBps', market.reserveRewardsMaxAprBps],
    ['durable nonces', 'disableNonceBlock', market.disableNonceBlock],
  ]);
}

export function unmodeledReserveRules({ config, liquidity }: ReserveView): UnmodeledRule[] {
  return inUse([
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

const inUse = (candidates: readonly Candidate[]): UnmodeledRule[] =>
  candidates
    .map(([rule, field, value]) => ({ rule, field, value: value.toString() }))
    .filter(({ value }) => value !== '0' && value !== ZERO_ADDRESS);

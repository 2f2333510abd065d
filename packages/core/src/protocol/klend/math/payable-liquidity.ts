import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { ReserveView } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import { availableLiquidity } from './available-liquidity.ts';
import { remainingWithdrawalCap } from './withdrawal-caps.ts';

type PayingReserve = Parameters<typeof availableLiquidity>[0] & {
  readonly config: Pick<ReserveView['config'], 'depositWithdrawalCap' | 'emergencyMode'>;
};

type PayableContext = {
  readonly now: UnixSeconds;
  readonly rules: Pick<LendingRules, 'exchangeRate'>;
};

/** What a reserve pays out now: unqueued tokens up to its withdrawal cap; nothing in emergency mode. */
export function payableLiquidity(
  reserve: PayingReserve,
  market: { readonly emergencyMode: number } | undefined,
  { now, rules }: PayableContext,
): Lamports {
  const { emergencyMode, depositWithdrawalCap } = reserve.config;
  if (emergencyMode !== 0 || (market?.emergencyMode ?? 0) !== 0) return toLamports(0n);
  const free = availableLiquidity(reserve, rules);
  const allowed = remainingWithdrawalCap(depositWithdrawalCap, now);
  return toLamports(free < allowed ? free : allowed);
}

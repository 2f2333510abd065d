import { CodedError } from '../../../base/errors.ts';
import type { ChainTime, UnixSeconds } from '../../../base/time.ts';
import type { FarmStateView } from '../layout/farm-state.ts';

/** An entry of the oracle, `value / 10^exp`, as far as a farm reads it. */
export type FarmOraclePrice = {
  readonly price: { readonly value: bigint; readonly exp: bigint };
  readonly unixTimestamp: UnixSeconds;
};

/** When a farm is looked at, and the entry `scopeOraclePriceId` of its price account if it has one. */
export type FarmContext = { readonly at: ChainTime; readonly price?: FarmOraclePrice };

const SECONDS = 0;
const SLOTS = 1;

/** The time in the farm's own unit, in which all its periods and stamps are. */
export function farmTime({ timeUnit }: Pick<FarmStateView, 'timeUnit'>, at: ChainTime): bigint {
  if (timeUnit === SECONDS) return at.unix;
  if (timeUnit === SLOTS) return at.slot;
  throw new CodedError('MALFORMED_DATA', { what: 'farm', reason: `time unit ${timeUnit}` });
}

export const isSlotBased = ({ timeUnit }: Pick<FarmStateView, 'timeUnit'>): boolean =>
  timeUnit === SLOTS;

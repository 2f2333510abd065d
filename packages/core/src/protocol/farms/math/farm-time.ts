import { CodedError } from '../../../base/errors.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import type { ChainTime, UnixSeconds } from '../../../base/time.ts';
import type { FarmStateView } from '../layout/farm-state.ts';

/** An oracle price, `value / 10^exp`, with the fields that a farm reads. */
export type FarmOraclePrice = {
  readonly price: { readonly value: bigint; readonly exp: bigint };
  readonly unixTimestamp: UnixSeconds;
};

/** The time and, for a farm with an oracle, the price with index `scopeOraclePriceId`. */
export type FarmContext = { readonly at: ChainTime; readonly price?: FarmOraclePrice };

const SECONDS = 0;
const SLOTS = 1;

/** The time in the farm's unit. All its periods and timestamps have this unit. */
export function farmTime({ timeUnit }: Pick<FarmStateView, 'timeUnit'>, at: ChainTime): bigint {
  if (timeUnit === SECONDS) return at.unix;
  if (timeUnit === SLOTS) return at.slot;
  throw new CodedError('MALFORMED_DATA', { what: 'farm', reason: `its time unit is ${timeUnit}` });
}

export const isSlotBased = ({ timeUnit }: Pick<FarmStateView, 'timeUnit'>): boolean =>
  timeUnit === SLOTS;

/** Figures of a rule about time. Undefined for a farm that counts slots: they are not seconds. */
export const timeFigures = (
  farm: Pick<FarmStateView, 'timeUnit'>,
  figures: Omit<RejectionFigures, 'unit'>,
): RejectionFigures | undefined =>
  isSlotBased(farm) ? undefined : { unit: 'seconds', ...figures };

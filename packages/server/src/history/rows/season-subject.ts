import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '@tidegate/core/base';

/** The positions that a season rewards. */
type SeasonTarget = {
  readonly vault?: Address;
  readonly depositReserve?: Address;
  readonly borrowReserve?: Address;
};

/** The subject of a season's reward series: a derived address that no account has. */
export function deriveSeasonSubject(
  source: string,
  { vault, depositReserve, borrowReserve }: SeasonTarget,
): Address {
  const named = [vault, depositReserve, borrowReserve].map((address) => address ?? null);
  const text = JSON.stringify(['season', source, ...named]);
  return addressFromBytes(createHash('sha256').update(text).digest());
}

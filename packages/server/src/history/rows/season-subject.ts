import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '@tidegate/core/base';

/** A season and what it rewards. */
type SeasonPositions = {
  readonly vault?: Address;
  readonly depositReserve?: Address;
  readonly borrowReserve?: Address;
};

/** What the series of a season's rewards is kept under: no account of a chain has that address. */
export function deriveSeasonSubject(
  source: string,
  { vault, depositReserve, borrowReserve }: SeasonPositions,
): Address {
  const named = [vault, depositReserve, borrowReserve].map((address) => address ?? null);
  const text = JSON.stringify(['season', source, ...named]);
  return addressFromBytes(createHash('sha256').update(text).digest());
}

import {
  type Address,
  type Slot,
  toAddress,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import type { HistoryReader } from './history-reader.ts';
import type { PositionKey, PositionKind } from './position-kinds.ts';

/** A position whose recorded events do not explain its states. */
export type PositionGap = {
  readonly key: PositionKey;
  readonly wallet: Address;
  /** The market, vault or farm. */
  readonly place: Address | undefined;
  /** The newest state that is explained. */
  readonly slot: Slot;
  readonly at: UnixSeconds;
  /** Epoch milliseconds. */
  readonly foundAt: number;
  readonly difference: string;
};

/** The text by which a position is stored, unique among those of its kind. */
export const positionName = (key: PositionKey): string =>
  key.kind === 'shares' ? `${key.wallet} ${key.vault}` : key.address;

type GapRow = {
  readonly kind: PositionKind;
  readonly position: string;
  readonly wallet: string;
  readonly place: string | null;
  readonly slot: bigint;
  readonly at: bigint;
  readonly found_at: bigint;
  readonly difference: string;
};

/** All gaps. */
export const readPositionGaps = (
  reader: Pick<HistoryReader, 'db'>,
): Promise<readonly PositionGap[]> => select(reader, sql`true`);

/** Gaps of one position. */
export const readGapsOfPosition = (
  reader: Pick<HistoryReader, 'db'>,
  key: PositionKey,
): Promise<readonly PositionGap[]> =>
  select(reader, sql`kind = ${key.kind} and position = ${positionName(key)}`);

/** Gaps of positions of a kind that a wallet has or had, or of those in a market, vault or farm. */
export const readGapsOf = (
  reader: Pick<HistoryReader, 'db'>,
  kind: PositionKind,
  subject: { readonly wallet: Address } | { readonly place: Address | undefined },
): Promise<readonly PositionGap[]> => {
  if ('wallet' in subject)
    return select(reader, sql`kind = ${kind} and wallet = ${subject.wallet}`);
  const { place } = subject;
  // a gap of an unknown place may be in each of them
  const isThere = place === undefined ? sql`true` : sql`(place = ${place} or place is null)`;
  return select(reader, sql`kind = ${kind} and ${isThere}`);
};

async function select(
  { db }: Pick<HistoryReader, 'db'>,
  where: RawBuilder<unknown>,
): Promise<readonly PositionGap[]> {
  const { rows } = await sql<GapRow>`select * from position_gap where ${where}
    order by found_at, kind, position`.execute(db);
  return rows.map(({ kind, position, place, slot, at, found_at: foundAt, ...row }) => ({
    key: parseKey(kind, position),
    wallet: toAddress(row.wallet),
    place: place === null ? undefined : toAddress(place),
    slot: toSlot(slot),
    at: toUnixSeconds(at),
    foundAt: Number(foundAt),
    difference: row.difference,
  }));
}

function parseKey(kind: PositionKind, position: string): PositionKey {
  const [first = '', second = ''] = position.split(' ');
  return kind === 'shares'
    ? { kind, wallet: toAddress(first), vault: toAddress(second) }
    : { kind, address: toAddress(first) };
}

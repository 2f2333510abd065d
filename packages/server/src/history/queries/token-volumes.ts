import { type Address, DAY_SECONDS, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import { type RawBuilder, sql } from 'kysely';
import { EVENTS_CHECKPOINT } from '../checkpoint-names.ts';
import { lendingEventKinds, vaultEventKinds } from '../event-kinds.ts';
import { readCheckpoint, readGaps } from './checkpoints.ts';
import { readEventsSince, readQueueEventsSince } from './event-coverage.ts';
import type { HistoryReader } from './history-reader.ts';

/** Times in `(after, until]`. */
export type RecordedWindow = { readonly after: UnixSeconds; readonly until: UnixSeconds };

/** The newest events may be missing for this long before the count is too old. */
const MAX_LAG_SECONDS = 120n;

/**
 * The newest 24 hours whose events are all recorded. Undefined if events of that time are missing: recording began later,
 * there is a gap, or the newest recorded event is too old.
 */
export async function readRecordedDay(
  reader: HistoryReader,
  now: UnixSeconds,
): Promise<RecordedWindow | undefined> {
  const newest = await readCheckpoint(reader.db, EVENTS_CHECKPOINT);
  const since = await readEventsSince(reader);
  if (newest === undefined || since === undefined) return undefined;
  if (now - newest.unix > MAX_LAG_SECONDS) return undefined;
  const until = newest.unix < now ? newest.unix : now;
  const after = toUnixSeconds(until - DAY_SECONDS);
  if (since.slot > 0n && since.unix > after) return undefined;
  const queueSince = await readQueueEventsSince(reader);
  if (queueSince !== undefined && queueSince.unix > after) return undefined;
  const gaps = await readGaps(reader.db, EVENTS_CHECKPOINT);
  return gaps.some((gap) => gap.until > after) ? undefined : { after, until };
}

/** Sum of base units times price, scaled by 2^60, over the events of a token or vault. */
export type MovedValue = {
  /** Undefined for events of an unknown token. */
  readonly subject: Address | undefined;
  readonly valueSf: bigint;
  /** Whether every event has a price. */
  readonly isPriced: boolean;
};

/**
 * Kinds that move the token of a reserve. The other kinds move collateral or nothing, or repeat a movement for the other
 * party: `repayForOther`, `liquidate` and the fills of orders.
 */
const lendingMoves = kindNumbers(lendingEventKinds, [
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'depositReserveLiquidity',
  'redeemReserveCollateral',
  'liquidationRepay',
  'liquidationWithdraw',
  'flashBorrow',
  'flashRepay',
  'withdrawQueuedLiquidity',
]);

/** Kinds that move the token of a vault. The other kinds move shares or collateral. */
const vaultMoves = kindNumbers(vaultEventKinds, [
  'deposit',
  'buy',
  'withdraw',
  'sell',
  'withdrawFromAvailable',
  'investIn',
  'investOut',
]);

/** By mint. Reads market by market, in the order of an index: there is none of the time alone. */
export const readLendingMoves = (reader: HistoryReader, window: RecordedWindow) =>
  readMovedValues(
    reader,
    sql`with recursive known (market) as (
      select min(market) from lending_event
      union all
      select (select min(market) from lending_event where market > known.market)
      from known where known.market is not null)
    select mint as subject, ${movedValue('liquidity_amount')}
    from known join lending_event using (market)
    where ${isMove(lendingMoves, window)} and liquidity_amount > 0 group by mint`,
  );

/** By vault. */
export const readVaultMoves = (reader: HistoryReader, window: RecordedWindow) =>
  readMovedValues(
    reader,
    sql`select vault as subject, ${movedValue('token_amount')} from vault_event
    where ${isMove(vaultMoves, window)} and token_amount > 0 group by vault`,
  );

function kindNumbers<Kind>(all: readonly Kind[], moves: readonly Kind[]): string {
  return `{${moves.map((kind) => all.indexOf(kind)).join(',')}}`;
}

const movedValue = (amount: string) => sql`
  coalesce(sum(${sql.ref(amount)} * price_sf), 0)::numeric(100, 0)::text as value,
  bool_and(price_sf is not null) as priced`;

const isMove = (kinds: string, { after, until }: RecordedWindow) =>
  sql`kind = any(${kinds}::int4[]) and at > ${after}::int8 and at <= ${until}::int8`;

type StoredValue = {
  readonly subject: number | null;
  readonly value: string;
  readonly priced: boolean;
};

async function readMovedValues(
  { db, ids }: HistoryReader,
  query: RawBuilder<unknown>,
): Promise<readonly MovedValue[]> {
  const { rows } = await sql<StoredValue>`${query}`.execute(db);
  const addressOf = await ids.getAddresses(rows.flatMap(({ subject }) => subject ?? []));
  return rows.map(({ subject, value, priced }) => ({
    subject: subject === null ? undefined : addressOf(subject),
    valueSf: BigInt(value),
    isPriced: priced,
  }));
}

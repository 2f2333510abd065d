import { type RawBuilder, sql } from 'kysely';

/** A position in the order of recording. Without an event, after all events of its number. */
export type RecordedPosition = {
  readonly recorded: bigint;
  readonly event?: EventPosition | undefined;
};

/** The order of the events with one number. A removed transaction has its signature as path. */
export type EventPosition = {
  readonly slot: bigint;
  readonly transactionIndex: number;
  readonly path: Uint8Array;
  readonly eventIndex: number;
};

export function comparePositions(a: RecordedPosition, b: RecordedPosition): number {
  if (a.recorded !== b.recorded) return a.recorded < b.recorded ? -1 : 1;
  if (a.event === undefined || b.event === undefined) {
    return Number(a.event === undefined) - Number(b.event === undefined);
  }
  if (a.event.slot !== b.event.slot) return a.event.slot < b.event.slot ? -1 : 1;
  return (
    a.event.transactionIndex - b.event.transactionIndex ||
    Buffer.compare(a.event.path, b.event.path) ||
    a.event.eventIndex - b.event.eventIndex
  );
}

/** Later than the slot of any event. */
const MAX_SLOT = 2n ** 63n - 1n;

/** For a comparison with the number, the slot, the indexes and the path of a row. */
export function positionTuple({ recorded, event }: RecordedPosition): RawBuilder<unknown> {
  const { slot, transactionIndex, path, eventIndex } = event ?? {
    slot: MAX_SLOT,
    transactionIndex: 0,
    path: new Uint8Array(),
    eventIndex: 0,
  };
  return sql`(${recorded}::int8, ${slot}::int8, ${transactionIndex}::int4, ${path}::bytea,
    ${eventIndex}::int4)`;
}

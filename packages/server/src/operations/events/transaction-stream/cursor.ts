import { bytesFromHex, bytesToHex } from '@tidegate/core/base';
import type { RecordedPosition } from '../../../history/queries/recorded-position.ts';
import { invalidQuery } from '../../../support/history/history-query.ts';

const CURSOR = /^(\d{1,18})(?:-(\d{1,18})-(\d{1,9})-((?:[0-9a-f]{2}){0,64})-(\d{1,4}))?$/;

/** The id of an event, from which a stream continues in any process and at any time. */
export function formatCursor({ recorded, event }: RecordedPosition): string {
  if (event === undefined) return String(recorded);
  const { slot, transactionIndex, path, eventIndex } = event;
  return [recorded, slot, transactionIndex, bytesToHex(path), eventIndex].join('-');
}

/** Throws INVALID_QUERY for a text that is no cursor. */
export function parseCursor(text: string): RecordedPosition {
  const [, recorded, slot, transactionIndex, path = '', eventIndex] = CURSOR.exec(text) ?? [];
  if (recorded === undefined) {
    const message = 'cursor must be the id of an event of this stream';
    throw invalidQuery([{ path: ['cursor'], code: 'invalid_string', message }]);
  }
  if (slot === undefined) return { recorded: BigInt(recorded) };
  const event = {
    slot: BigInt(slot),
    transactionIndex: Number(transactionIndex),
    path: bytesFromHex(path),
    eventIndex: Number(eventIndex),
  };
  return { recorded: BigInt(recorded), event };
}

import type { TimeRange, UnixSeconds } from '@tidegate/core/base';
import type { BodyPart } from '../../http/compression/body-encoder.ts';
import {
  type DeflatedText,
  deflateText,
  inflateText,
} from '../../http/compression/deflated-text.ts';

/** JSON items, separated by commas, with their times and the ends of their texts. */
export type HistoryChunk = {
  readonly json: DeflatedText;
  /** Epoch seconds. */
  readonly times: Float64Array;
  readonly ends: Uint32Array;
};

/** A chunk, and its text as long as it is at hand. */
export type BuiltChunk = { readonly chunk: HistoryChunk; readonly text?: Buffer };

/** `times` has one time per item, ascending. */
export function createHistoryChunk(
  times: readonly UnixSeconds[],
  items: readonly string[],
): BuiltChunk & { readonly text: Buffer } {
  const joined = items.join();
  const text = Buffer.from(joined);
  const isAscii = text.length === joined.length;
  const ends = new Uint32Array(items.length);
  let end = -1;
  for (const [index, item] of items.entries()) {
    end += 1 + (isAscii ? item.length : Buffer.byteLength(item));
    ends[index] = end;
  }
  return {
    chunk: { json: deflateText(text), times: Float64Array.from(times, Number), ends },
    text,
  };
}

export const chunkBytes = ({ json, times, ends }: HistoryChunk): number =>
  json.blocks.length + times.byteLength + ends.byteLength;

/** The items in the range; undefined if there is none. */
export function sliceHistoryChunk(
  { chunk, text }: BuiltChunk,
  { start, end }: TimeRange,
): BodyPart | undefined {
  const { json, times, ends } = chunk;
  const from = firstFrom(times, Number(start));
  const to = firstFrom(times, Number(end));
  if (from >= to) return undefined;
  if (from === 0 && to === times.length) return { ...(text && { text }), deflated: json };
  const startOf = (item: number): number => (item === 0 ? 0 : (ends[item - 1] ?? 0) + 1);
  return { text: (text ?? inflateText(json)).subarray(startOf(from), ends[to - 1]) };
}

/** The index of the first time at or after the given one. */
function firstFrom(times: Float64Array, at: number): number {
  const index = times.findIndex((time) => time >= at);
  return index === -1 ? times.length : index;
}

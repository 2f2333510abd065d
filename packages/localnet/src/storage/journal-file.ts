import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesEqual, concatBytes } from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import { decodeJournalEntry, encodeRecord } from './cluster-codec.ts';
import type { JournalEntry } from './cluster-snapshot.ts';
import { isErrno } from './errno.ts';
import { decodeUint32, encodeUint32 } from './length-prefix.ts';
import { SNAPSHOT_ID_BYTES } from './snapshot-file.ts';

/** Length and checksum before each entry. */
const FRAME_BYTES = 8;

type JournalContent = {
  readonly slots: readonly JournalEntry[];
  /** Bytes at the end that do not form an entry. */
  readonly torn: number;
};

/** The journal of a snapshot: the snapshot's ID, then one entry per slot. */
export class JournalFile {
  readonly #path: string;
  #file: number | undefined;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** The entries after that snapshot; empty if the journal belongs to another one. */
  read(snapshot: Uint8Array): JournalContent {
    const bytes = readIfPresent(this.#path);
    const isOfSnapshot = bytesEqual(bytes.subarray(0, SNAPSHOT_ID_BYTES), snapshot);
    return isOfSnapshot ? decodeEntries(bytes.subarray(SNAPSHOT_ID_BYTES)) : { slots: [], torn: 0 };
  }

  /** Clears the journal for a new snapshot. */
  begin(snapshot: Uint8Array): void {
    this.close();
    writeFileSync(this.#path, snapshot);
    this.#file = openSync(this.#path, 'a');
    this.#size = snapshot.length;
  }

  append(entry: JournalEntry): void {
    if (this.#file === undefined) {
      const reason = 'there is no snapshot to continue from';
      throw new CodedError('MALFORMED_DATA', { what: 'journal', reason });
    }
    const record = encodeRecord(entry);
    const length = encodeUint32(record.length);
    const frame = concatBytes([length, encodeUint32(crc32(record, crc32(length))), record]);
    try {
      writeFileSync(this.#file, frame);
    } catch (error) {
      // Later entries would be lost after a partial one.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += frame.length;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#size = 0;
  }

  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

/** Decodes up to the first damaged entry; nothing after it can be trusted. */
function decodeEntries(bytes: Uint8Array): JournalContent {
  const slots: JournalEntry[] = [];
  let at = 0;
  for (let end = endOfEntry(bytes, at); end !== undefined; end = endOfEntry(bytes, at)) {
    slots.push(decodeJournalEntry(bytes.subarray(at + FRAME_BYTES, end)));
    at = end;
  }
  return { slots, torn: bytes.length - at };
}

/**
 * End of the entry at `at`, if it is intact. The checksum covers the length, so zeros are not an
 * entry.
 */
function endOfEntry(bytes: Uint8Array, at: number): number | undefined {
  const start = at + FRAME_BYTES;
  if (start > bytes.length) return undefined;
  const end = start + decodeUint32(bytes, at);
  if (end > bytes.length) return undefined;
  const checksum = crc32(bytes.subarray(start, end), crc32(bytes.subarray(at, at + 4)));
  return checksum === decodeUint32(bytes, at + 4) ? end : undefined;
}

function readIfPresent(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return new Uint8Array();
    throw error;
  }
}

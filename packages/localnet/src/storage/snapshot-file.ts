import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesEqual, bytesFromText, concatBytes } from '@tidegate/core/base';
import { decodeClusterSnapshot, encodeRecord } from './cluster-codec.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { isErrno } from './errno.ts';
import { decodeUint32, encodeUint32 } from './length-prefix.ts';

/** Increase it with every change of the snapshot, the journal or a packed record that older data does not fit. */
const FORMAT_VERSION = 1;

/** Identifies a snapshot, so that a journal can refer to it. */
export const SNAPSHOT_ID_BYTES = 16;

const MAGIC = bytesFromText('TIDEGATE');
const VERSION_OFFSET = MAGIC.length;
const CHECKSUM_OFFSET = VERSION_OFFSET + 4;
/** The checksum covers everything from here on. */
const ID_OFFSET = CHECKSUM_OFFSET + 4;
const BODY_OFFSET = ID_OFFSET + SNAPSHOT_ID_BYTES;

export type SnapshotContent = { readonly id: Uint8Array; readonly cluster: ClusterSnapshot };

/** Why the bytes are not a usable snapshot. */
type Unusable = { readonly reason: string };

/** The whole cluster in one file that is replaced atomically. */
export class SnapshotFile {
  readonly #path: string;
  readonly #unfinished: string;

  constructor(path: string) {
    this.#path = path;
    this.#unfinished = `${path}.new`;
  }

  /** Undefined if there is none. */
  read(): SnapshotContent | Unusable | undefined {
    try {
      return decodeSnapshot(readFileSync(this.#path));
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Returns the ID of the new snapshot. */
  write(cluster: ClusterSnapshot): Uint8Array {
    const id = new Uint8Array(randomBytes(SNAPSHOT_ID_BYTES));
    const file = openSync(this.#unfinished, 'w');
    try {
      writeFileSync(file, encodeSnapshot({ id, cluster }));
      // A power failure must not leave the final name on unwritten data.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(this.#unfinished, this.#path);
    return id;
  }

  removeUnfinished(): void {
    rmSync(this.#unfinished, { force: true });
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

function encodeSnapshot({ id, cluster }: SnapshotContent): Uint8Array {
  const body = encodeRecord(cluster);
  const checksum = crc32(body, crc32(id));
  return concatBytes([MAGIC, encodeUint32(FORMAT_VERSION), encodeUint32(checksum), id, body]);
}

function decodeSnapshot(bytes: Uint8Array): SnapshotContent | Unusable {
  const isSnapshot = bytesEqual(bytes.subarray(0, MAGIC.length), MAGIC);
  if (!isSnapshot || bytes.length < BODY_OFFSET) return { reason: 'it is not a cluster snapshot' };
  const version = decodeUint32(bytes, VERSION_OFFSET);
  if (version !== FORMAT_VERSION) {
    return { reason: `it has format ${version}, and this release reads format ${FORMAT_VERSION}` };
  }
  if (crc32(bytes.subarray(ID_OFFSET)) !== decodeUint32(bytes, CHECKSUM_OFFSET)) {
    return { reason: 'it is damaged' };
  }
  const id = new Uint8Array(bytes.subarray(ID_OFFSET, BODY_OFFSET));
  return { id, cluster: decodeClusterSnapshot(bytes.subarray(BODY_OFFSET)) };
}

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
import { bytesEqual, bytesOfText, concatBytes } from '@tidegate/core/base';
import { decodeCluster, encodeKept } from './cluster-codec.ts';
import type { KeptCluster } from './cluster-snapshot.ts';
import { isErrno } from './errno.ts';
import { readUint32, uint32 } from './length-prefix.ts';

/** To be raised with every change of what is in the snapshot, in the journal or in a packed record. */
const FORMAT_VERSION = 1;

/** Names one snapshot, so that a journal says which one it goes on from. */
export const ID_BYTES = 16;

const MAGIC = bytesOfText('TIDEGATE');
const VERSION_OFFSET = MAGIC.length;
const CHECKSUM_OFFSET = VERSION_OFFSET + 4;
/** From here on all is under the checksum. */
const ID_OFFSET = CHECKSUM_OFFSET + 4;
const BODY_OFFSET = ID_OFFSET + ID_BYTES;

export type Snapshot = { readonly id: Uint8Array; readonly cluster: KeptCluster };

/** Why the bytes are no snapshot that can be used. */
type Unusable = { readonly reason: string };

/** The whole cluster in one file, which is replaced at once or not at all. */
export class SnapshotFile {
  readonly #path: string;
  readonly #unfinished: string;

  constructor(path: string) {
    this.#path = path;
    this.#unfinished = `${path}.new`;
  }

  /** Undefined when there is none. */
  read(): Snapshot | Unusable | undefined {
    try {
      return decodeSnapshot(readFileSync(this.#path));
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Returns the new one's id. */
  write(cluster: KeptCluster): Uint8Array {
    const id = new Uint8Array(randomBytes(ID_BYTES));
    const file = openSync(this.#unfinished, 'w');
    try {
      writeFileSync(file, encodeSnapshot({ id, cluster }));
      // a power cut must not leave the new name on bytes that were never written
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

function encodeSnapshot({ id, cluster }: Snapshot): Uint8Array {
  const body = encodeKept(cluster);
  const checksum = crc32(body, crc32(id));
  return concatBytes([MAGIC, uint32(FORMAT_VERSION), uint32(checksum), id, body]);
}

function decodeSnapshot(bytes: Uint8Array): Snapshot | Unusable {
  const isOurs = bytesEqual(bytes.subarray(0, MAGIC.length), MAGIC);
  if (!isOurs || bytes.length < BODY_OFFSET) return { reason: 'it is no snapshot of a cluster' };
  const version = readUint32(bytes, VERSION_OFFSET);
  if (version !== FORMAT_VERSION) {
    return { reason: `it is of format ${version}, and this release reads ${FORMAT_VERSION}` };
  }
  if (crc32(bytes.subarray(ID_OFFSET)) !== readUint32(bytes, CHECKSUM_OFFSET)) {
    return { reason: 'it is damaged' };
  }
  const id = new Uint8Array(bytes.subarray(ID_OFFSET, BODY_OFFSET));
  return { id, cluster: decodeCluster(bytes.subarray(BODY_OFFSET)) };
}

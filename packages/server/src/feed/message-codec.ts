import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Address, addressFromBytes, addressToBytes, toSlot } from '@tidegate/core/base';
import type { FeedAccount, FeedMessage } from './feed-message.ts';
import { decodeHeader, encodeHeader, malformed } from './header-codec.ts';

/*
 * A message is a frame: four bytes that name the format and its version, the CRC-32 and the length of the content, and
 * the deflated content. The content is a JSON header with its length, the programs of the accounts, and the accounts:
 * address, number of the program, slot, and data with its length. Rows follow, which the second format has only.
 */
const FORMAT = Buffer.from('TGF1');
const ROWS_FORMAT = Buffer.from('TGF2');
const FRAME_BYTES = FORMAT.length + 8;
const ADDRESS_BYTES = 32;
/** Address, program, slot and length of the data. */
const ACCOUNT_BYTES = ADDRESS_BYTES + 1 + 8 + 4;
/** Instead of the number of a program. */
const CLOSED = 255;
const FORGOTTEN = 254;
const MAX_PROGRAMS = FORGOTTEN;
/** A frame that claims more is refused before memory is allocated. */
const MAX_CONTENT_BYTES = 256 * 2 ** 20;

/** Most bytes are zero, so the fastest level compresses as well as any. */
const LEVEL = { level: 1 };

const deflateRawAsync = promisify(deflateRaw);

export function encodeMessage(message: FeedMessage): Uint8Array {
  const content = encodeContent(message);
  return frame(formatOf(message), content, deflateRawSync(content, LEVEL));
}

/** Compresses in another thread. The accounts are copied first, so that their bytes may change. */
export async function encodeMessageAsync(message: FeedMessage): Promise<Uint8Array> {
  const content = encodeContent(message);
  return frame(formatOf(message), content, await deflateRawAsync(content, LEVEL));
}

/** Throws MALFORMED_DATA for bytes that `encodeMessage` did not write. */
export function decodeMessage(bytes: Uint8Array): FeedMessage {
  const { content, hasRows } = openFrame(bytes);
  const reader = new ContentReader(content);
  const { rows, ...header } = decodeHeader(reader.bytes(reader.u32()));
  const programs = Array.from({ length: reader.u8() }, () => reader.address());
  const count = reader.u32();
  const accounts: FeedAccount[] = [];
  for (let i = 0; i < count; i++) accounts.push(readAccount(reader, programs));
  if (hasRows !== (rows !== undefined)) throw malformed('its fields are not the expected ones');
  if (rows !== undefined) return { ...header, accounts, rows: { ...rows, bytes: reader.rest() } };
  if (!reader.isAtEnd) throw malformed('it is too long');
  return { ...header, accounts };
}

const formatOf = ({ rows }: FeedMessage): Buffer => (rows === undefined ? FORMAT : ROWS_FORMAT);

function frame(format: Buffer, content: Buffer, deflated: Buffer): Uint8Array {
  const head = Buffer.alloc(FRAME_BYTES);
  format.copy(head);
  head.writeUInt32LE(crc32(content), FORMAT.length);
  head.writeUInt32LE(content.length, FORMAT.length + 4);
  return Buffer.concat([head, deflated]);
}

function openFrame(bytes: Uint8Array): { readonly content: Buffer; readonly hasRows: boolean } {
  const frameBytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (frameBytes.length < FRAME_BYTES) throw malformed('it is too short');
  const format = frameBytes.subarray(0, FORMAT.length);
  const hasRows = format.equals(ROWS_FORMAT);
  if (!hasRows && !format.equals(FORMAT)) {
    throw malformed('its format is that of another release: run the same release in all processes');
  }
  const sum = frameBytes.readUInt32LE(FORMAT.length);
  const length = frameBytes.readUInt32LE(FORMAT.length + 4);
  if (length > MAX_CONTENT_BYTES) throw malformed(`it has ${length} bytes`);
  const content = inflate(frameBytes.subarray(FRAME_BYTES), length);
  if (content.length !== length || crc32(content) !== sum) throw malformed('it is damaged');
  return { content, hasRows };
}

function inflate(deflated: Buffer, length: number): Buffer {
  try {
    return inflateRawSync(deflated, { maxOutputLength: Math.max(length, 1) });
  } catch {
    throw malformed('it is damaged');
  }
}

function encodeContent({ accounts, rows, ...header }: FeedMessage): Buffer {
  const head = encodeHeader({ ...header, ...(rows && { rows }) });
  const programs = new Map<Address, number>();
  for (const { account } of accounts) {
    if (typeof account !== 'string' && !programs.has(account.owner)) {
      programs.set(account.owner, programs.size);
    }
  }
  if (programs.size > MAX_PROGRAMS) throw malformed(`it has ${programs.size} programs`);
  const data = accounts.reduce((sum, each) => sum + ACCOUNT_BYTES + dataOf(each).length, 0);
  const size =
    4 + head.length + 1 + programs.size * ADDRESS_BYTES + 4 + data + (rows?.bytes.length ?? 0);
  const content = Buffer.alloc(size);
  let at = content.writeUInt32LE(head.length, 0);
  content.set(head, at);
  at = content.writeUInt8(programs.size, at + head.length);
  for (const program of programs.keys()) {
    content.set(addressToBytes(program), at);
    at += ADDRESS_BYTES;
  }
  at = content.writeUInt32LE(accounts.length, at);
  for (const account of accounts) at = writeAccount(content, at, { account, programs });
  if (rows !== undefined) content.set(rows.bytes, at);
  return content;
}

type AccountToWrite = {
  readonly account: FeedAccount;
  readonly programs: ReadonlyMap<Address, number>;
};

function writeAccount(content: Buffer, start: number, { account, programs }: AccountToWrite) {
  const bytes = dataOf(account);
  content.set(addressToBytes(account.address), start);
  let at = content.writeUInt8(markOf(account, programs), start + ADDRESS_BYTES);
  at = content.writeBigUInt64LE(account.slot, at);
  at = content.writeUInt32LE(bytes.length, at);
  content.set(bytes, at);
  return at + bytes.length;
}

const NO_DATA = new Uint8Array(0);

const dataOf = ({ account }: FeedAccount): Uint8Array =>
  typeof account === 'string' ? NO_DATA : account.data;

function markOf({ account }: FeedAccount, programs: ReadonlyMap<Address, number>): number {
  if (account === 'closed') return CLOSED;
  return account === 'forgotten' ? FORGOTTEN : (programs.get(account.owner) ?? 0);
}

function readAccount(reader: ContentReader, programs: readonly Address[]): FeedAccount {
  const address = reader.address();
  const mark = reader.u8();
  const slot = toSlot(reader.u64());
  const data = reader.bytes(reader.u32());
  if (mark === CLOSED) return { address, slot, account: 'closed' };
  if (mark === FORGOTTEN) return { address, slot, account: 'forgotten' };
  const owner = programs[mark];
  if (owner === undefined) throw malformed(`it has no program ${mark}`);
  // a copy, because a state keeps it longer than the message
  return { address, slot, account: { owner, data: Uint8Array.from(data) } };
}

class ContentReader {
  readonly #content: Buffer;
  #at = 0;

  constructor(content: Buffer) {
    this.#content = content;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#content.length;
  }

  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#content.length) throw malformed('it is cut off');
    const bytes = this.#content.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  rest = (): Uint8Array => {
    const { buffer, byteOffset, length } = this.bytes(this.#content.length - this.#at);
    return new Uint8Array(buffer, byteOffset, length);
  };
  u8 = (): number => this.bytes(1)[0] ?? 0;
  u32 = (): number => Buffer.from(this.bytes(4)).readUInt32LE();
  u64 = (): bigint => Buffer.from(this.bytes(8)).readBigUInt64LE();
  address = (): Address => addressFromBytes(this.bytes(ADDRESS_BYTES));
}

import {
  ADDRESS_BYTES,
  type Address,
  addressFromBytes,
  addressToBytes,
  toAddress,
} from '../../../base/encoding/address.ts';
import { encodeBase58, toBase58Bytes } from '../../../base/encoding/base58.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import { malformedTransaction } from './json-values.ts';
import {
  type AddressLookup,
  checkMessage,
  type Message,
  type MessageHeader,
  type MessageInstruction,
} from './message.ts';

/** In base58. The first one identifies the transaction. Unsigned transactions have zero signatures. */
export type SignedMessage = { readonly signatures: readonly string[]; readonly message: Message };

export const SIGNATURE_BYTES = 64;
/** Placeholder of a missing signature. */
export const EMPTY_SIGNATURE = '1'.repeat(SIGNATURE_BYTES);
/** The first bit of a message is set if it is versioned, and clear for a legacy message. */
const VERSION_BIT = 0x80;

/** Decodes a transaction in wire format: signatures, then the message. */
export function decodeWireTransaction(bytes: Uint8Array): SignedMessage {
  const cursor = createCursor(bytes);
  const signatures = cursor.list(SIGNATURE_BYTES, () => encodeBase58(cursor.take(SIGNATURE_BYTES)));
  const message = decodeWireMessage(cursor.take(cursor.left()));
  if (signatures.length !== message.header.numRequiredSignatures) {
    throw malformedTransaction('the number of signatures differs from that of its message');
  }
  return { signatures, message };
}

/** Decodes the message, which is what the signers sign. */
export function decodeWireMessage(bytes: Uint8Array): Message {
  const cursor = createCursor(bytes);
  const first = cursor.byte();
  const isVersioned = (first & VERSION_BIT) !== 0;
  if (isVersioned && first !== VERSION_BIT) {
    throw malformedTransaction(`version ${first & ~VERSION_BIT} is not supported`);
  }
  const header: MessageHeader = {
    numRequiredSignatures: isVersioned ? cursor.byte() : first,
    numReadonlySignedAccounts: cursor.byte(),
    numReadonlyUnsignedAccounts: cursor.byte(),
  };
  const staticKeys = cursor.list(ADDRESS_BYTES, () => takeAddress(cursor));
  const recentBlockhash = takeAddress(cursor);
  const instructions = cursor.list(3, () => takeInstruction(cursor));
  const lookups = isVersioned ? cursor.list(ADDRESS_BYTES + 2, () => takeLookup(cursor)) : [];
  if (cursor.left() !== 0) throw malformedTransaction(`${cursor.left()} bytes follow the message`);
  return checkMessage({
    version: isVersioned ? 0 : 'legacy',
    header,
    staticKeys,
    recentBlockhash,
    instructions,
    lookups,
  });
}

export function encodeWireTransaction({ signatures, message }: SignedMessage): Uint8Array {
  const { numRequiredSignatures } = message.header;
  if (signatures.length !== numRequiredSignatures) {
    throw malformedTransaction(
      `it has ${signatures.length} signatures, but its message requires ${numRequiredSignatures}`,
    );
  }
  const signatureBytes = signatures.map(encodeSignature);
  return concatBytes([
    encodeCount(signatures.length),
    ...signatureBytes,
    encodeWireMessage(message),
  ]);
}

function encodeSignature(text: string): Uint8Array {
  const bytes = toBase58Bytes(text, 'signature');
  if (bytes.length === SIGNATURE_BYTES) return bytes;
  throw malformedTransaction(`a signature has ${bytes.length} bytes instead of ${SIGNATURE_BYTES}`);
}

/** Encodes the message, which is what the signers sign. */
export function encodeWireMessage(message: Message): Uint8Array {
  const { version, header, staticKeys, recentBlockhash, instructions, lookups } =
    checkMessage(message);
  return concatBytes([
    ...(version === 'legacy' ? [] : [Uint8Array.of(VERSION_BIT)]),
    Uint8Array.of(
      header.numRequiredSignatures,
      header.numReadonlySignedAccounts,
      header.numReadonlyUnsignedAccounts,
    ),
    ...encodeList(staticKeys, (key) => [addressToBytes(key)]),
    addressToBytes(toAddress(recentBlockhash)),
    ...encodeList(instructions, ({ programIndex, accountIndexes, data }) => [
      Uint8Array.of(programIndex),
      encodeIndexes(accountIndexes),
      encodeCount(data.length),
      data,
    ]),
    ...(version === 'legacy'
      ? []
      : encodeList(lookups, ({ table, writableIndexes, readonlyIndexes }) => [
          addressToBytes(table),
          encodeIndexes(writableIndexes),
          encodeIndexes(readonlyIndexes),
        ])),
  ]);
}

const encodeList = <Item>(
  items: readonly Item[],
  partsOf: (item: Item) => readonly Uint8Array[],
): Uint8Array[] => [encodeCount(items.length), ...items.flatMap(partsOf)];

const encodeIndexes = (indexes: readonly number[]): Uint8Array =>
  concatBytes([encodeCount(indexes.length), Uint8Array.from(indexes)]);

function encodeCount(count: number): Uint8Array {
  if (count > 0xffff) throw malformedTransaction(`a list of ${count} items is too long`);
  const bytes = [];
  for (let rest = count; ; rest >>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function takeInstruction(cursor: Cursor): MessageInstruction {
  return {
    programIndex: cursor.byte(),
    accountIndexes: Array.from(cursor.take(cursor.count())),
    data: cursor.take(cursor.count()).slice(),
  };
}

function takeLookup(cursor: Cursor): AddressLookup {
  const table = takeAddress(cursor);
  const writableIndexes = Array.from(cursor.take(cursor.count()));
  const readonlyIndexes = Array.from(cursor.take(cursor.count()));
  if (writableIndexes.length + readonlyIndexes.length === 0) {
    throw malformedTransaction(`it has no indexes for the lookup table ${table}`);
  }
  return { table, writableIndexes, readonlyIndexes };
}

const takeAddress = (cursor: Cursor): Address => addressFromBytes(cursor.take(ADDRESS_BYTES));

type Cursor = {
  left(): number;
  byte(): number;
  take(size: number): Uint8Array;
  /** Reads a count of one to three bytes with seven bits each, low bits first. Only the shortest form is valid. */
  count(): number;
  /** Reads a count, then that many items of at least `minSize` bytes. */
  list<Item>(minSize: number, item: () => Item): Item[];
};

function createCursor(bytes: Uint8Array): Cursor {
  let at = 0;
  const cursor: Cursor = {
    left: () => bytes.length - at,
    byte: () => cursor.take(1)[0] ?? 0,
    take(size) {
      if (size > cursor.left()) throw malformedTransaction('it is truncated');
      at += size;
      return bytes.subarray(at - size, at);
    },
    count() {
      let value = 0;
      for (let shift = 0; shift < 21; shift += 7) {
        const byte = cursor.byte();
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
          if ((byte === 0 && shift > 0) || value > 0xffff) break;
          return value;
        }
      }
      throw malformedTransaction('a count is not in its shortest form');
    },
    list(minSize, item) {
      const count = cursor.count();
      if (count * minSize > cursor.left()) throw malformedTransaction('it is truncated');
      return Array.from({ length: count }, item);
    },
  };
  return cursor;
}

import type { Reason } from '../reasons.ts';
import { ByteReader } from './byte-reader.ts';

type Lookup = {
  readonly table: string;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
};

type CompiledInstruction = {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
};

export type ParsedTransaction = {
  readonly signatures: number;
  readonly version: 'legacy' | 0;
  readonly requiredSignatures: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  readonly staticKeys: readonly string[];
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly Lookup[];
};

/** The size of a network packet. */
const MAX_BYTES = 1232;
const VERSION_FLAG = 0x80;
const SIGNATURE_BYTES = 64;
const BLOCKHASH_BYTES = 32;

/** Reads a transaction in wire format, signed or not. The blockhash and the signatures may be anything. */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction | Reason {
  if (bytes.length > MAX_BYTES) {
    return malformed(`The transaction has ${bytes.length} bytes; at most ${MAX_BYTES} are valid.`);
  }
  const reader = new ByteReader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES)).length;
  const isVersioned = reader.peek() >= VERSION_FLAG;
  const version = isVersioned ? reader.byte() - VERSION_FLAG : undefined;
  if (version !== undefined && version !== 0) {
    const message = `The message has version ${version}; 0 and the legacy form are supported.`;
    return { code: 'UNSUPPORTED_VERSION', message };
  }
  const [requiredSignatures, readonlySigners, readonlyOthers] = [
    reader.byte(),
    reader.byte(),
    reader.byte(),
  ];
  const staticKeys = reader.list(() => reader.address());
  reader.take(BLOCKHASH_BYTES);
  const instructions = reader.list(() => readInstruction(reader));
  const lookups = isVersioned ? reader.list(() => readLookup(reader)) : [];
  if (reader.isBroken) return malformed('The transaction ends too early or has invalid lengths.');
  if (!reader.isAtEnd) return malformed('The transaction has more bytes after its end.');
  const header = { requiredSignatures, readonlySigners, readonlyOthers };
  return {
    signatures,
    version: isVersioned ? 0 : 'legacy',
    ...header,
    staticKeys,
    instructions,
    lookups,
  };
}

const readInstruction = (reader: ByteReader): CompiledInstruction => {
  const programIndex = reader.byte();
  const accountIndexes = reader.list(() => reader.byte());
  return { programIndex, accountIndexes, data: reader.take(reader.length()) };
};

const readLookup = (reader: ByteReader): Lookup => {
  const table = reader.address();
  const writableIndexes = reader.list(() => reader.byte());
  return { table, writableIndexes, readonlyIndexes: reader.list(() => reader.byte()) };
};

const malformed = (message: string): Reason => ({ code: 'MALFORMED_TRANSACTION', message });

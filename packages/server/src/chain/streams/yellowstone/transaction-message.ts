import { encodeBase58 } from '@tidegate/core/base';
import { ProtobufReader } from './protobuf-reader.ts';

/** Signatures and message in the form of the encoding `json`. */
export function decodeSignedMessage(reader: ProtobufReader) {
  const signatures: string[] = [];
  let message = decodeMessage(new ProtobufReader(new Uint8Array()));
  while (reader.next()) {
    if (reader.field === 1) signatures.push(encodeBase58(reader.readBytes()));
    else if (reader.field === 2) message = decodeMessage(reader.readMessage());
  }
  const { isVersioned, hasConfig, addressTableLookups, ...rest } = message;
  if (!isVersioned) return { signatures, message: rest, version: 'legacy' as const };
  // only messages of version 1 have a configuration
  const version = hasConfig ? 1 : 0;
  return { signatures, message: { ...rest, addressTableLookups }, version };
}

function decodeMessage(reader: ProtobufReader) {
  let header = decodeHeader(new ProtobufReader(new Uint8Array()));
  const accountKeys: string[] = [];
  let recentBlockhash = '';
  const instructions: ReturnType<typeof decodeInstruction>[] = [];
  const addressTableLookups: ReturnType<typeof decodeLookup>[] = [];
  let isVersioned = false;
  let hasConfig = false;
  while (reader.next()) {
    if (reader.field === 1) header = decodeHeader(reader.readMessage());
    else if (reader.field === 2) accountKeys.push(encodeBase58(reader.readBytes()));
    else if (reader.field === 3) recentBlockhash = encodeBase58(reader.readBytes());
    else if (reader.field === 4) instructions.push(decodeInstruction(reader.readMessage()));
    else if (reader.field === 5) isVersioned = reader.readBoolean();
    else if (reader.field === 6) addressTableLookups.push(decodeLookup(reader.readMessage()));
    else if (reader.field === 7) hasConfig = true;
  }
  const fields = { header, accountKeys, recentBlockhash, instructions };
  return { ...fields, addressTableLookups, isVersioned, hasConfig };
}

function decodeHeader(reader: ProtobufReader) {
  const counts = [0, 0, 0];
  while (reader.next()) {
    if (reader.field <= counts.length) counts[reader.field - 1] = reader.readUint32();
  }
  const [signatures = 0, readonlySigned = 0, readonlyUnsigned = 0] = counts;
  return {
    numRequiredSignatures: signatures,
    numReadonlySignedAccounts: readonlySigned,
    numReadonlyUnsignedAccounts: readonlyUnsigned,
  };
}

/** An instruction of the message, or an inner one, which has a stack height. */
export function decodeInstruction(reader: ProtobufReader) {
  let programIdIndex = 0;
  let accounts: number[] = [];
  let data = '';
  let stackHeight: number | null = null;
  while (reader.next()) {
    if (reader.field === 1) programIdIndex = reader.readUint32();
    else if (reader.field === 2) accounts = [...reader.readBytes()];
    else if (reader.field === 3) data = encodeBase58(reader.readBytes());
    else if (reader.field === 4) stackHeight = reader.readUint32();
  }
  return { programIdIndex, accounts, data, stackHeight };
}

function decodeLookup(reader: ProtobufReader) {
  let accountKey = '';
  let writableIndexes: number[] = [];
  let readonlyIndexes: number[] = [];
  while (reader.next()) {
    if (reader.field === 1) accountKey = encodeBase58(reader.readBytes());
    else if (reader.field === 2) writableIndexes = [...reader.readBytes()];
    else if (reader.field === 3) readonlyIndexes = [...reader.readBytes()];
  }
  return { accountKey, writableIndexes, readonlyIndexes };
}

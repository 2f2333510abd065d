import {
  type Address,
  addressFromBytes,
  type ClusterAccount,
  encodeBase58,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { malformedData } from '../../rpc/response-values.ts';
import { ProtobufReader } from './protobuf-reader.ts';

export type AccountMessage = {
  readonly kind: 'account';
  readonly slot: Slot;
  readonly address: Address;
  /** Undefined if it was closed. */
  readonly account: ClusterAccount | undefined;
  /** Orders the updates of an account within a slot. */
  readonly writeVersion: bigint;
};

export type TransactionMessage = {
  readonly kind: 'transaction';
  readonly slot: Slot;
  readonly signature: string;
  readonly failed: boolean;
  readonly transactionIndex: number;
  /** The encoded transaction; empty if only its result was requested. */
  readonly encoded: EncodedTransaction | undefined;
};

export type EncodedTransaction = { readonly signed: Uint8Array; readonly meta: Uint8Array };

export type SlotMessage = {
  readonly kind: 'slot';
  readonly slot: Slot;
  readonly parent: Slot | undefined;
  /** The number of a commitment level, 6 for a dead slot, others for the progress of a slot. */
  readonly status: number;
};

type BlockMessage = {
  readonly kind: 'block';
  readonly slot: Slot;
  readonly unix: UnixSeconds | undefined;
};

export type UpdateMessage =
  | AccountMessage
  | TransactionMessage
  | SlotMessage
  | BlockMessage
  | { readonly kind: 'ping' | 'pong' | 'other' };

/** `filters`: names of the filters that selected it. */
export type SubscribeUpdate = {
  readonly filters: readonly string[];
  readonly message: UpdateMessage;
};

export const DEAD_SLOT = 6;

const SIGNATURE_BYTES = 64;

export function decodeSubscribeUpdate(bytes: Uint8Array): SubscribeUpdate {
  const filters: string[] = [];
  let message: UpdateMessage = { kind: 'other' };
  const reader = new ProtobufReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) filters.push(reader.readText());
    else message = decodeMessage(reader) ?? message;
  }
  return { filters, message };
}

/** Undefined for a field that is not used. */
function decodeMessage(reader: ProtobufReader): UpdateMessage | undefined {
  switch (reader.field) {
    case 2:
      return decodeAccountMessage(reader.readMessage());
    case 3:
      return decodeSlot(reader.readMessage());
    case 4:
      return decodeTransactionMessage(reader.readMessage());
    case 6:
      return { kind: 'ping' };
    case 7:
      return decodeBlock(reader.readMessage());
    case 9:
      return { kind: 'pong' };
    case 10:
      return decodeResult(reader.readMessage());
    default:
      return undefined;
  }
}

function decodeAccountMessage(reader: ProtobufReader): AccountMessage {
  let slot = 0n;
  let info: ReturnType<typeof decodeAccountInfo> | undefined;
  while (reader.next()) {
    if (reader.field === 1) info = decodeAccountInfo(reader.readMessage());
    else if (reader.field === 2) slot = reader.readUint64();
  }
  if (info === undefined) throw malformedData('gRPC message', 'an update has no account');
  return { kind: 'account', slot: toSlot(slot), ...info };
}

function decodeAccountInfo(reader: ProtobufReader) {
  let address: Address | undefined;
  let owner: Address | undefined;
  let lamports = 0n;
  let data = new Uint8Array();
  let writeVersion = 0n;
  while (reader.next()) {
    if (reader.field === 1) address = readAddress(reader);
    else if (reader.field === 2) lamports = reader.readUint64();
    else if (reader.field === 3) owner = readAddress(reader);
    // a copy, because a view would keep the whole message in memory
    else if (reader.field === 6) data = new Uint8Array(reader.readBytes());
    else if (reader.field === 7) writeVersion = reader.readUint64();
  }
  if (address === undefined || owner === undefined) {
    throw malformedData('gRPC message', 'an account has no address or no owner');
  }
  return {
    address,
    writeVersion,
    account: lamports === 0n ? undefined : { lamports, owner, data },
  };
}

function decodeSlot(reader: ProtobufReader): SlotMessage {
  let slot = 0n;
  let parent: bigint | undefined;
  let status = 0;
  while (reader.next()) {
    if (reader.field === 1) slot = reader.readUint64();
    else if (reader.field === 2) parent = reader.readUint64();
    else if (reader.field === 3) status = reader.readUint32();
  }
  return {
    kind: 'slot',
    slot: toSlot(slot),
    parent: parent === undefined ? undefined : toSlot(parent),
    status,
  };
}

function decodeBlock(reader: ProtobufReader): BlockMessage {
  let slot = 0n;
  let unix: bigint | undefined;
  while (reader.next()) {
    if (reader.field === 1) slot = reader.readUint64();
    else if (reader.field === 4) unix = readWrapped(reader.readMessage());
  }
  return {
    kind: 'block',
    slot: toSlot(slot),
    unix: unix === undefined ? undefined : toUnixSeconds(unix),
  };
}

/** The number in a message that has nothing else. */
function readWrapped(reader: ProtobufReader): bigint {
  let value = 0n;
  while (reader.next()) if (reader.field === 1) value = reader.readInt64();
  return value;
}

function decodeTransactionMessage(reader: ProtobufReader): TransactionMessage {
  let slot = 0n;
  let info: Omit<TransactionMessage, 'kind' | 'slot'> | undefined;
  while (reader.next()) {
    if (reader.field === 1) info = decodeTransactionInfo(reader.readMessage());
    else if (reader.field === 2) slot = reader.readUint64();
  }
  if (info === undefined) throw malformedData('gRPC message', 'an update has no transaction');
  return { kind: 'transaction', slot: toSlot(slot), ...info };
}

function decodeTransactionInfo(reader: ProtobufReader): Omit<TransactionMessage, 'kind' | 'slot'> {
  let signature: string | undefined;
  let signed: Uint8Array | undefined;
  let meta: Uint8Array | undefined;
  let transactionIndex = 0;
  while (reader.next()) {
    if (reader.field === 1) signature = readSignature(reader);
    else if (reader.field === 3) signed = reader.readBytes();
    else if (reader.field === 4) meta = reader.readBytes();
    else if (reader.field === 5) transactionIndex = reader.readUint32();
  }
  if (signature === undefined || signed === undefined || meta === undefined) {
    throw malformedData('gRPC message', 'a transaction is incomplete');
  }
  return { signature, failed: hasError(meta), transactionIndex, encoded: { signed, meta } };
}

/** Whether the metadata of a transaction has an error. */
function hasError(meta: Uint8Array): boolean {
  const reader = new ProtobufReader(meta);
  let isFailed = false;
  while (reader.next()) isFailed ||= reader.field === 1;
  return isFailed;
}

function decodeResult(reader: ProtobufReader): TransactionMessage {
  let slot = 0n;
  let signature: string | undefined;
  let transactionIndex = 0;
  let failed = false;
  while (reader.next()) {
    if (reader.field === 1) slot = reader.readUint64();
    else if (reader.field === 2) signature = readSignature(reader);
    else if (reader.field === 4) transactionIndex = reader.readUint32();
    else if (reader.field === 5) failed = true;
  }
  if (signature === undefined) throw malformedData('gRPC message', 'a result has no signature');
  const encoded = undefined;
  return { kind: 'transaction', slot: toSlot(slot), signature, failed, transactionIndex, encoded };
}

const readAddress = (reader: ProtobufReader): Address => addressFromBytes(reader.readBytes());

function readSignature(reader: ProtobufReader): string {
  const bytes = reader.readBytes();
  if (bytes.length !== SIGNATURE_BYTES) {
    throw malformedData('gRPC message', `a signature does not have ${SIGNATURE_BYTES} bytes`);
  }
  return encodeBase58(bytes);
}

import { encodeBase58 } from '@tidegate/core/base';
import { toJsonNumber } from './json-number.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { decodeInstruction } from './transaction-message.ts';

type Json = number | string;

type ReturnData = { readonly programId: Uint8Array; readonly data: Uint8Array };

/** The result of a transaction in the form of the encoding `json`, except for what is encoded. */
type TransactionMeta = {
  error: Uint8Array | undefined;
  returnData: ReturnData | undefined;
  fee: Json;
  preBalances: Json[];
  postBalances: Json[];
  /** Null if the node did not record them. */
  innerInstructions: ReturnType<typeof decodeInnerInstructions>[] | null;
  logMessages: string[] | null;
  preTokenBalances: ReturnType<typeof decodeTokenBalance>[];
  postTokenBalances: ReturnType<typeof decodeTokenBalance>[];
  rewards: readonly never[];
  loadedAddresses: { readonly writable: string[]; readonly readonly: string[] };
  computeUnitsConsumed?: Json;
  costUnits?: Json;
};

/** Rewards belong to blocks; a transaction has none. */
export function decodeTransactionMeta(reader: ProtobufReader): TransactionMeta {
  const inner: ReturnType<typeof decodeInnerInstructions>[] = [];
  const logs: string[] = [];
  const meta: TransactionMeta = {
    error: undefined,
    returnData: undefined,
    fee: 0,
    preBalances: [],
    postBalances: [],
    innerInstructions: inner,
    logMessages: logs,
    preTokenBalances: [],
    postTokenBalances: [],
    rewards: [],
    loadedAddresses: { writable: [], readonly: [] },
  };
  while (reader.next()) {
    switch (reader.field) {
      case 5:
        inner.push(decodeInnerInstructions(reader.readMessage()));
        break;
      case 6:
        logs.push(reader.readText());
        break;
      default:
        decodeField(reader, meta);
    }
  }
  return meta;
}

function decodeField(reader: ProtobufReader, meta: TransactionMeta): void {
  switch (reader.field) {
    case 1:
      meta.error = decodeError(reader.readMessage());
      break;
    case 2:
      meta.fee = toJsonNumber(reader.readUint64());
      break;
    case 3:
      meta.preBalances.push(...reader.readUint64s().map(toJsonNumber));
      break;
    case 4:
      meta.postBalances.push(...reader.readUint64s().map(toJsonNumber));
      break;
    case 7:
      meta.preTokenBalances.push(decodeTokenBalance(reader.readMessage()));
      break;
    case 8:
      meta.postTokenBalances.push(decodeTokenBalance(reader.readMessage()));
      break;
    case 10:
      if (reader.readBoolean()) meta.innerInstructions = null;
      break;
    case 11:
      if (reader.readBoolean()) meta.logMessages = null;
      break;
    case 12:
      meta.loadedAddresses.writable.push(encodeBase58(reader.readBytes()));
      break;
    case 13:
      meta.loadedAddresses.readonly.push(encodeBase58(reader.readBytes()));
      break;
    case 14:
      meta.returnData = decodeReturnData(reader.readMessage());
      break;
    case 16:
      meta.computeUnitsConsumed = toJsonNumber(reader.readUint64());
      break;
    case 17:
      meta.costUnits = toJsonNumber(reader.readUint64());
      break;
    default:
      break;
  }
}

function decodeError(reader: ProtobufReader): Uint8Array {
  let error = new Uint8Array();
  while (reader.next()) if (reader.field === 1) error = Uint8Array.from(reader.readBytes());
  return error;
}

function decodeInnerInstructions(reader: ProtobufReader) {
  let index = 0;
  const instructions: ReturnType<typeof decodeInstruction>[] = [];
  while (reader.next()) {
    if (reader.field === 1) index = reader.readUint32();
    else if (reader.field === 2) instructions.push(decodeInstruction(reader.readMessage()));
  }
  return { index, instructions };
}

/** Older nodes did not record owner and program; they are empty then. */
function decodeTokenBalance(reader: ProtobufReader) {
  let accountIndex = 0;
  let uiTokenAmount: ReturnType<typeof decodeTokenAmount> | undefined;
  const texts = { mint: '', owner: '', programId: '' };
  while (reader.next()) {
    if (reader.field === 1) accountIndex = reader.readUint32();
    else if (reader.field === 2) texts.mint = reader.readText();
    else if (reader.field === 3) uiTokenAmount = decodeTokenAmount(reader.readMessage());
    else if (reader.field === 4) texts.owner = reader.readText();
    else if (reader.field === 5) texts.programId = reader.readText();
  }
  const { mint, owner, programId } = texts;
  return {
    accountIndex,
    mint,
    ...(owner !== '' && { owner }),
    ...(programId !== '' && { programId }),
    uiTokenAmount,
  };
}

/** A node also returns null for the amount 0. Nothing is computed from `uiAmount`. */
function decodeTokenAmount(reader: ProtobufReader) {
  let uiAmount = 0;
  let decimals = 0;
  let amount = '';
  let uiAmountString = '';
  while (reader.next()) {
    if (reader.field === 1) uiAmount = reader.readDouble();
    else if (reader.field === 2) decimals = reader.readUint32();
    else if (reader.field === 3) amount = reader.readText();
    else if (reader.field === 4) uiAmountString = reader.readText();
  }
  return { amount, decimals, uiAmount: uiAmount === 0 ? null : uiAmount, uiAmountString };
}

function decodeReturnData(reader: ProtobufReader): ReturnData {
  let programId = new Uint8Array();
  let data = new Uint8Array();
  while (reader.next()) {
    if (reader.field === 1) programId = Uint8Array.from(reader.readBytes());
    else if (reader.field === 2) data = new Uint8Array(reader.readBytes());
  }
  return { programId, data };
}

import protobuf from 'protobufjs';

/**
 * The messages of a Yellowstone server that tests use, by their public field numbers. Names are not part of the wire
 * format.
 */
const MESSAGES = `
  syntax = "proto3";
  message Nothing {}
  message Ping { int32 id = 1; }

  message Request {
    map<string, AccountFilter> accounts = 1;
    map<string, SlotFilter> slots = 2;
    map<string, TransactionFilter> transactions = 3;
    map<string, Nothing> blocks = 5;
    optional uint32 commitment = 6;
    optional Ping ping = 9;
    map<string, TransactionFilter> results = 10;
    optional uint64 fromSlot = 11;
  }
  message AccountFilter {
    repeated string addresses = 2;
    repeated string owners = 3;
    repeated DataFilter filters = 4;
  }
  message DataFilter { oneof filter { BytesFilter bytes = 1; uint64 size = 2; } }
  message BytesFilter { uint64 offset = 1; bytes value = 2; }
  message SlotFilter { optional bool byCommitment = 1; optional bool allStatuses = 2; }
  message TransactionFilter {
    optional bool vote = 1;
    optional bool failed = 2;
    repeated string mentions = 3;
  }

  message Update {
    repeated string filters = 1;
    oneof update {
      AccountUpdate account = 2;
      SlotUpdate slot = 3;
      TransactionUpdate transaction = 4;
      Nothing ping = 6;
      BlockUpdate block = 7;
      Ping pong = 9;
      ResultUpdate result = 10;
    }
    Time createdAt = 11;
  }
  message Time { int64 seconds = 1; int32 nanos = 2; }
  message AccountUpdate { Account account = 1; uint64 slot = 2; bool isStartup = 3; }
  message Account {
    bytes address = 1;
    uint64 lamports = 2;
    bytes owner = 3;
    bool executable = 4;
    uint64 rentEpoch = 5;
    bytes data = 6;
    uint64 writeVersion = 7;
    optional bytes signature = 8;
  }
  message SlotUpdate {
    uint64 slot = 1;
    optional uint64 parent = 2;
    uint32 status = 3;
    optional string deadError = 4;
  }
  message BlockUpdate { uint64 slot = 1; string blockhash = 2; Number blockTime = 4; }
  message Number { int64 value = 1; }
  message ResultUpdate {
    uint64 slot = 1;
    bytes signature = 2;
    bool isVote = 3;
    uint64 index = 4;
    Failure error = 5;
  }
  message TransactionUpdate { TransactionInfo info = 1; uint64 slot = 2; }
  message TransactionInfo {
    bytes signature = 1;
    bool isVote = 2;
    Signed transaction = 3;
    Meta meta = 4;
    uint64 index = 5;
  }
  message Signed { repeated bytes signatures = 1; Message message = 2; }
  message Message {
    Header header = 1;
    repeated bytes accountKeys = 2;
    bytes recentBlockhash = 3;
    repeated Instruction instructions = 4;
    bool versioned = 5;
    repeated Lookup addressTableLookups = 6;
  }
  message Header {
    uint32 numRequiredSignatures = 1;
    uint32 numReadonlySignedAccounts = 2;
    uint32 numReadonlyUnsignedAccounts = 3;
  }
  message Instruction {
    uint32 programIdIndex = 1;
    bytes accounts = 2;
    bytes data = 3;
    optional uint32 stackHeight = 4;
  }
  message Lookup { bytes accountKey = 1; bytes writableIndexes = 2; bytes readonlyIndexes = 3; }
  message Meta {
    Failure error = 1;
    uint64 fee = 2;
    repeated uint64 preBalances = 3;
    repeated uint64 postBalances = 4;
    repeated InnerInstructions innerInstructions = 5;
    bool innerInstructionsNone = 10;
    repeated string logMessages = 6;
    bool logMessagesNone = 11;
    repeated TokenBalance preTokenBalances = 7;
    repeated TokenBalance postTokenBalances = 8;
    repeated bytes writable = 12;
    repeated bytes readonly = 13;
    ReturnData returnData = 14;
    bool returnDataNone = 15;
    optional uint64 computeUnitsConsumed = 16;
    optional uint64 costUnits = 17;
  }
  message Failure { bytes encoded = 1; }
  message InnerInstructions { uint32 index = 1; repeated Instruction instructions = 2; }
  message TokenBalance {
    uint32 accountIndex = 1;
    string mint = 2;
    TokenAmount uiTokenAmount = 3;
    string owner = 4;
    string programId = 5;
  }
  message TokenAmount {
    double uiAmount = 1;
    uint32 decimals = 2;
    string amount = 3;
    string uiAmountString = 4;
  }
  message ReturnData { bytes programId = 1; bytes data = 2; }
`;

const { root } = protobuf.parse(MESSAGES);
const requestType = root.lookupType('Request');
const updateType = root.lookupType('Update');

export type GeyserAccountFilter = {
  readonly addresses: readonly string[];
  readonly owners: readonly string[];
  readonly filters: readonly {
    readonly size?: string;
    readonly bytes?: { readonly offset: string; readonly value: Uint8Array };
  }[];
};

type TransactionFilter = { readonly vote?: boolean; readonly mentions: readonly string[] };

/** A request as the server reads it. Filters are listed by name. */
export type GeyserRequest = {
  readonly accounts: Readonly<Record<string, GeyserAccountFilter>>;
  readonly slots: Readonly<
    Record<string, { readonly byCommitment?: boolean; readonly allStatuses?: boolean }>
  >;
  readonly transactions: Readonly<Record<string, TransactionFilter>>;
  readonly results: Readonly<Record<string, TransactionFilter>>;
  readonly blocks: Readonly<Record<string, unknown>>;
  readonly commitment?: number;
  readonly fromSlot?: string;
  readonly ping?: { readonly id: number };
};

export function decodeGeyserRequest(bytes: Uint8Array): GeyserRequest {
  const options = { longs: String, objects: true, arrays: true };
  return requestType.toObject(requestType.decode(bytes), options) as GeyserRequest;
}

/** Encodes an update. 64-bit numbers are strings of digits. */
export function encodeGeyserUpdate(update: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(updateType.encode(updateType.fromObject(update)).finish());
}

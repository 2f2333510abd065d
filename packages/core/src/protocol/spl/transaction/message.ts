import type { Address } from '../../../base/encoding/address.ts';
import { malformedTransaction } from './json-values.ts';

/** A transaction message, independent of its encoding. */
export type Message = {
  readonly version: 'legacy' | 0;
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  /** In base58. */
  readonly recentBlockhash: string;
  readonly instructions: readonly MessageInstruction[];
  readonly lookups: readonly AddressLookup[];
};

export type MessageHeader = {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
};

/** Indexes refer to the static keys, then the loaded writable keys, then the loaded read-only keys. */
export type MessageInstruction = {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
};

/** Accounts from an address lookup table, by index. */
export type AddressLookup = {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
};

export type LoadedAddresses = {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
};

export type MessageAccount = {
  readonly address: Address;
  readonly isSigner: boolean;
  /** As in the message. The cluster still treats programs and sysvars as read-only. */
  readonly isWritable: boolean;
};

/** An account index is one byte. */
const MAX_ACCOUNTS = 256;

/** The sanity checks that every node makes. */
export function checkMessage(message: Message): Message {
  const { header, staticKeys, instructions } = message;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  if (numReadonlySignedAccounts >= numRequiredSignatures)
    throw malformedTransaction('it has no fee payer');
  if (numRequiredSignatures + numReadonlyUnsignedAccounts > staticKeys.length) {
    throw malformedTransaction('the header has more accounts than the message');
  }
  const total = countAccounts(message);
  if (total > MAX_ACCOUNTS)
    throw malformedTransaction(`it has ${total} accounts, but the limit is ${MAX_ACCOUNTS}`);
  instructions.forEach(({ programIndex, accountIndexes }, i) => {
    // a program is neither the fee payer nor loaded from a table
    if (programIndex === 0 || programIndex >= staticKeys.length) {
      throw malformedTransaction(`instruction ${i} has an invalid program index`);
    }
    if (accountIndexes.some((index) => index >= total)) {
      throw malformedTransaction(`instruction ${i} has an invalid account index`);
    }
  });
  return message;
}

/** All accounts of the message in the order of their indexes. */
export function accountsOfMessage(message: Message, loaded: LoadedAddresses): MessageAccount[] {
  const expected = countLoaded(message);
  if (
    loaded.writable.length !== expected.writable ||
    loaded.readonly.length !== expected.readonly
  ) {
    throw malformedTransaction('the number of loaded addresses differs from that of the message');
  }
  const { header, staticKeys } = message;
  const writableSigners = header.numRequiredSignatures - header.numReadonlySignedAccounts;
  const writableEnd = staticKeys.length - header.numReadonlyUnsignedAccounts;
  const isSigner = false;
  return [
    ...staticKeys.map((address, i) => ({
      address,
      isSigner: i < header.numRequiredSignatures,
      isWritable: i < header.numRequiredSignatures ? i < writableSigners : i < writableEnd,
    })),
    ...loaded.writable.map((address) => ({ address, isSigner, isWritable: true })),
    ...loaded.readonly.map((address) => ({ address, isSigner, isWritable: false })),
  ];
}

/** Includes accounts from lookup tables. */
export function countAccounts(message: Message): number {
  const loaded = countLoaded(message);
  return message.staticKeys.length + loaded.writable + loaded.readonly;
}

function countLoaded({ lookups }: Message): { writable: number; readonly: number } {
  return {
    writable: lookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0),
    readonly: lookups.reduce((sum, { readonlyIndexes }) => sum + readonlyIndexes.length, 0),
  };
}

import type { Address } from '../../../base/encoding/address.ts';
import { malformedTransaction } from './json-values.ts';

/** What a transaction asks for, whatever form it came in. */
export type Message = {
  readonly version: 'legacy' | 0;
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  /** Base58, like an address. */
  readonly recentBlockhash: string;
  readonly instructions: readonly MessageInstruction[];
  readonly lookups: readonly AddressLookup[];
};

export type MessageHeader = {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
};

/** Numbers point into the static keys, then the loaded writable ones, then the loaded others. */
export type MessageInstruction = {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
};

/** Accounts that come from an address lookup table, by their place in it. */
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
  /** As the message asks; the cluster lets nobody write to programs and sysvars even so. */
  readonly isWritable: boolean;
};

/** An index is one byte. */
const MAX_ACCOUNTS = 256;

/** The checks that every node makes before it looks at a transaction. */
export function checkMessage(message: Message): Message {
  const { header, staticKeys, instructions } = message;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  if (numReadonlySignedAccounts >= numRequiredSignatures)
    throw malformedTransaction('nobody pays the fee');
  if (numRequiredSignatures + numReadonlyUnsignedAccounts > staticKeys.length) {
    throw malformedTransaction('the header counts more accounts than there are');
  }
  const total = countAccounts(message);
  if (total > MAX_ACCOUNTS) throw malformedTransaction(`it names ${total} accounts`);
  instructions.forEach(({ programIndex, accountIndexes }, i) => {
    // the fee payer is no program, and no program is loaded from a table
    if (programIndex === 0 || programIndex >= staticKeys.length) {
      throw malformedTransaction(`instruction ${i} has no program`);
    }
    if (accountIndexes.some((index) => index >= total)) {
      throw malformedTransaction(`instruction ${i} names an account that is not there`);
    }
  });
  return message;
}

/** Every account of the message in the order of the indexes. */
export function accountsOfMessage(message: Message, loaded: LoadedAddresses): MessageAccount[] {
  const expected = countLoaded(message);
  if (
    loaded.writable.length !== expected.writable ||
    loaded.readonly.length !== expected.readonly
  ) {
    throw malformedTransaction('the loaded addresses are not those that the message asks for');
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

/** With those that come from tables. */
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

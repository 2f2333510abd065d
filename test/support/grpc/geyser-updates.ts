import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { referenceDecode } from '../reference/reference-base58.ts';

/** An account after a write. Undefined: it was closed. */
export type WrittenAccount = {
  readonly address: Address;
  readonly account: ClusterAccount | undefined;
  readonly writeVersion?: bigint;
};

type Instruction = {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight?: number | null;
};

type TokenBalance = Readonly<Record<string, unknown>> & {
  readonly uiTokenAmount: Readonly<Record<string, unknown>>;
};

/** A result of `getTransaction` with the encoding `json`. */
export type RpcTransaction = {
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly header: Readonly<Record<string, number>>;
      readonly accountKeys: readonly string[];
      readonly recentBlockhash: string;
      readonly instructions: readonly Instruction[];
      readonly addressTableLookups?: readonly {
        readonly accountKey: string;
        readonly writableIndexes: readonly number[];
        readonly readonlyIndexes: readonly number[];
      }[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly innerInstructions:
      | readonly { readonly index: number; readonly instructions: readonly Instruction[] }[]
      | null;
    readonly logMessages: readonly string[] | null;
    readonly preTokenBalances: readonly TokenBalance[];
    readonly postTokenBalances: readonly TokenBalance[];
    readonly loadedAddresses: {
      readonly writable: readonly string[];
      readonly readonly: readonly string[];
    };
    readonly returnData?: { readonly programId: string; readonly data: readonly string[] };
    readonly computeUnitsConsumed?: number;
    readonly costUnits?: number;
  };
  readonly version: number | string;
};

/** `error`: the encoded error of a failed transaction. */
export type StreamedRpcTransaction = {
  readonly json: RpcTransaction;
  readonly index?: number;
  readonly error?: Uint8Array;
};

/** The owner of closed accounts. */
const SYSTEM = new Uint8Array(32);

export function accountUpdate(
  slot: bigint,
  { address, account, writeVersion = slot }: WrittenAccount,
) {
  return {
    slot: `${slot}`,
    account: {
      address: referenceDecode(address),
      lamports: `${account?.lamports ?? 0n}`,
      owner: account === undefined ? SYSTEM : referenceDecode(account.owner),
      rentEpoch: '18446744073709551615',
      data: account?.data ?? new Uint8Array(),
      writeVersion: `${writeVersion}`,
    },
  };
}

export function transactionUpdate(
  slot: bigint,
  { json, index = 0, error }: StreamedRpcTransaction,
) {
  const { signatures, message } = json.transaction;
  const { addressTableLookups, accountKeys, instructions, recentBlockhash, header } = message;
  const lookups = addressTableLookups ?? [];
  const info = {
    signature: referenceDecode(signatures[0] ?? ''),
    index: `${index}`,
    transaction: {
      signatures: signatures.map(referenceDecode),
      message: {
        header,
        accountKeys: accountKeys.map(referenceDecode),
        recentBlockhash: referenceDecode(recentBlockhash),
        instructions: instructions.map(toInstruction),
        versioned: addressTableLookups !== undefined,
        addressTableLookups: lookups.map((lookup) => ({
          accountKey: referenceDecode(lookup.accountKey),
          writableIndexes: Uint8Array.from(lookup.writableIndexes),
          readonlyIndexes: Uint8Array.from(lookup.readonlyIndexes),
        })),
      },
    },
    meta: toMeta(json.meta, error),
  };
  return { slot: `${slot}`, info };
}

/** Only the result of a transaction. */
export function resultUpdate(slot: bigint, { json, index = 0, error }: StreamedRpcTransaction) {
  return {
    slot: `${slot}`,
    signature: referenceDecode(json.transaction.signatures[0] ?? ''),
    index: `${index}`,
    ...(error !== undefined && { error: { encoded: error } }),
  };
}

function toMeta(meta: RpcTransaction['meta'], error: Uint8Array | undefined) {
  const { innerInstructions, logMessages, loadedAddresses, returnData, ...rest } = meta;
  const { fee, preBalances, postBalances, computeUnitsConsumed, costUnits } = rest;
  return {
    ...(error !== undefined && { error: { encoded: error } }),
    fee: `${fee}`,
    preBalances: preBalances.map(String),
    postBalances: postBalances.map(String),
    innerInstructions: (innerInstructions ?? []).map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(toInstruction),
    })),
    innerInstructionsNone: innerInstructions === null,
    logMessages: logMessages ?? [],
    logMessagesNone: logMessages === null,
    preTokenBalances: rest.preTokenBalances.map(toTokenBalance),
    postTokenBalances: rest.postTokenBalances.map(toTokenBalance),
    writable: loadedAddresses.writable.map(referenceDecode),
    readonly: loadedAddresses.readonly.map(referenceDecode),
    ...(returnData !== undefined && {
      returnData: {
        programId: referenceDecode(returnData.programId),
        data: Buffer.from(returnData.data[0] ?? '', 'base64'),
      },
    }),
    returnDataNone: returnData === undefined,
    ...(computeUnitsConsumed !== undefined && { computeUnitsConsumed: `${computeUnitsConsumed}` }),
    ...(costUnits !== undefined && { costUnits: `${costUnits}` }),
  };
}

/** Servers send 0 for an amount that JSON has as null. */
function toTokenBalance({ uiTokenAmount, ...rest }: TokenBalance) {
  return { ...rest, uiTokenAmount: { ...uiTokenAmount, uiAmount: uiTokenAmount['uiAmount'] ?? 0 } };
}

function toInstruction({ programIdIndex, accounts, data, stackHeight }: Instruction) {
  return {
    programIdIndex,
    accounts: Uint8Array.from(accounts),
    data: referenceDecode(data),
    ...(typeof stackHeight === 'number' && { stackHeight }),
  };
}

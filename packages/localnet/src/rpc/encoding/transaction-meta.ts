import { type Address, encodeBase58 } from '@tidegate/core/base';
import type { InnerInstruction } from '../../runtime/call-frame.ts';
import type { TokenAccountBalance } from '../../runtime/transactions/token-balances.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { Json, JsonFields } from '../json.ts';
import { instructionJson } from './parsed-instruction.ts';
import { tokenAmountJson } from './token-amount.ts';

type MetaOptions = { readonly encoding: string; readonly hasRewards: boolean };

/** The `meta` of a transaction. */
export function encodeMeta(record: TransactionRecord, { encoding, hasRewards }: MetaOptions): Json {
  const isParsed = encoding === 'jsonParsed';
  return {
    ...encodeOutcome(record),
    rewards: hasRewards ? [] : null,
    innerInstructions: isParsed ? parseInnerInstructions(record) : encodeInner(record),
    logMessages: record.logs,
    // In parsed form, the account keys state their source.
    loadedAddresses: isParsed ? undefined : record.loaded,
    computeUnitsConsumed: record.units,
  };
}

/** The `meta` without instructions and logs. */
export const encodeAccountsMeta = (
  record: TransactionRecord,
  { hasRewards }: Pick<MetaOptions, 'hasRewards'>,
): Json => ({ ...encodeOutcome(record), rewards: hasRewards ? [] : undefined });

/** Inner instructions in parsed form. */
export const parseInnerInstructions = (record: Pick<TransactionRecord, 'inner'>): Json =>
  encodeInnerWith(record, ({ instruction, stackHeight }) =>
    instructionJson(instruction, stackHeight),
  );

export function encodeTokenBalances(
  balances: readonly TokenAccountBalance[],
  zero: 0 | null,
): Json {
  return balances.map(({ accountIndex, mint, owner, tokenProgram, amount, decimals }) => {
    const uiAmount = tokenAmountJson(amount, decimals);
    const uiTokenAmount = amount === 0n ? { ...uiAmount, uiAmount: zero } : uiAmount;
    return { accountIndex, mint, owner, programId: tokenProgram, uiTokenAmount };
  });
}

/** The deprecated status, which nodes still return. */
export const encodeStatus = ({ error }: Pick<TransactionRecord, 'error'>): Json =>
  error === undefined ? { Ok: null } : { Err: error };

function encodeOutcome(record: TransactionRecord): JsonFields {
  const { error, fee, preBalances, postBalances } = record;
  return {
    err: error ?? null,
    status: encodeStatus(record),
    fee,
    preBalances,
    postBalances,
    // Nodes store a zero amount as null.
    preTokenBalances: encodeTokenBalances(record.preTokenBalances, null),
    postTokenBalances: encodeTokenBalances(record.postTokenBalances, null),
  };
}

function encodeInner(record: TransactionRecord): Json {
  const indexes = new Map(record.accounts.map(({ address }, i) => [address, i]));
  const indexOf = (address: Address): number => indexes.get(address) ?? 0;
  return encodeInnerWith(record, ({ instruction, stackHeight }) => ({
    programIdIndex: indexOf(instruction.programAddress),
    accounts: instruction.accounts.map(({ address }) => indexOf(address)),
    data: encodeBase58(instruction.data),
    stackHeight,
  }));
}

const encodeInnerWith = (
  { inner }: Pick<TransactionRecord, 'inner'>,
  encode: (call: InnerInstruction) => Json,
): Json => [...inner].map(([index, calls]) => ({ index, instructions: calls.map(encode) }));

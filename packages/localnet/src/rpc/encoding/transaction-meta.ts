import { type Address, encodeBase58 } from '@tidegate/core/base';
import type { InnerInstruction } from '../../runtime/call-frame.ts';
import type { TokenAccountBalance } from '../../runtime/transactions/token-balances.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { Json, JsonFields } from '../json.ts';
import { instructionJson } from './parsed-instruction.ts';
import { tokenAmountJson } from './token-amount.ts';

type MetaForm = { readonly encoding: string; readonly hasRewards: boolean };

/** What a transaction did. */
export function encodeMeta(record: TransactionRecord, { encoding, hasRewards }: MetaForm): Json {
  const isParsed = encoding === 'jsonParsed';
  return {
    ...encodeOutcome(record),
    rewards: hasRewards ? [] : null,
    innerInstructions: isParsed ? parseInnerInstructions(record) : encodeInner(record),
    logMessages: record.logs,
    // in words the accounts say themselves where they are from
    loadedAddresses: isParsed ? undefined : record.loaded,
    computeUnitsConsumed: record.units,
  };
}

/** The part that is about balances. */
export const encodeAccountsMeta = (
  record: TransactionRecord,
  { hasRewards }: Pick<MetaForm, 'hasRewards'>,
): Json => ({ ...encodeOutcome(record), rewards: hasRewards ? [] : undefined });

/** The calls of programs, in words where a node has them. */
export const parseInnerInstructions = (record: Pick<TransactionRecord, 'inner'>): Json =>
  innerBy(record, ({ instruction, stackHeight }) => instructionJson(instruction, stackHeight));

export function encodeTokenBalances(held: readonly TokenAccountBalance[], zero: 0 | null): Json {
  return held.map(({ accountIndex, mint, owner, tokenProgram, amount, decimals }) => {
    const shown = tokenAmountJson(amount, decimals);
    const uiTokenAmount = amount === 0n ? { ...shown, uiAmount: zero } : shown;
    return { accountIndex, mint, owner, programId: tokenProgram, uiTokenAmount };
  });
}

/** The oldest form of an outcome, which is still told. */
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
    // what nodes store has no number for nothing
    preTokenBalances: encodeTokenBalances(record.preTokenBalances, null),
    postTokenBalances: encodeTokenBalances(record.postTokenBalances, null),
  };
}

function encodeInner(record: TransactionRecord): Json {
  const places = new Map(record.accounts.map(({ address }, i) => [address, i]));
  const placeOf = (address: Address): number => places.get(address) ?? 0;
  return innerBy(record, ({ instruction, stackHeight }) => ({
    programIdIndex: placeOf(instruction.programAddress),
    accounts: instruction.accounts.map(({ address }) => placeOf(address)),
    data: encodeBase58(instruction.data),
    stackHeight,
  }));
}

const innerBy = (
  { inner }: Pick<TransactionRecord, 'inner'>,
  encode: (call: InnerInstruction) => Json,
): Json => [...inner].map(([index, calls]) => ({ index, instructions: calls.map(encode) }));

import { toAddress } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { accountsOfMessage } from '#core/protocol/spl/transaction/message.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import type { TransactionError } from '#localnet/runtime/transaction-errors.ts';
import type { TokenAccountBalance } from '#localnet/runtime/transactions/token-balances.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import { referenceDecode } from '../reference/reference-base58.ts';

type RecordedCall = {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight: number;
};

type RecordedTokens = {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: { amount: string; decimals: number };
};

/** A recorded `getTransaction` response. */
export type RecordedResponse = {
  slot: string;
  blockTime: string;
  meta: {
    err: TransactionError | null;
    fee: number;
    computeUnitsConsumed: number;
    preBalances: string[];
    postBalances: string[];
    preTokenBalances: RecordedTokens[];
    postTokenBalances: RecordedTokens[];
    innerInstructions: { index: number; instructions: RecordedCall[] }[];
    logMessages: string[];
    loadedAddresses: { writable: string[]; readonly: string[] };
  };
};

/** Converts a recorded transaction to the record of our cluster. */
export function toTransactionRecord(
  wireText: string,
  { slot, blockTime, meta }: RecordedResponse,
): TransactionRecord {
  const wire = Uint8Array.from(Buffer.from(wireText, 'base64'));
  const { message, signatures } = decodeWireTransaction(wire);
  const loaded = {
    writable: meta.loadedAddresses.writable.map(toAddress),
    readonly: meta.loadedAddresses.readonly.map(toAddress),
  };
  const accounts = accountsOfMessage(message, loaded);
  const addressAt = (index: number) => accounts[index]?.address ?? toAddress('');
  const toInstruction = ({
    programIdIndex,
    accounts: indexes,
    data,
  }: RecordedCall): Instruction => ({
    programAddress: addressAt(programIdIndex),
    accounts: indexes.map((index) => ({ address: addressAt(index), role: 0 })),
    data: referenceDecode(data),
  });
  return {
    wire,
    message,
    signatures,
    signature: signatures[0] ?? '',
    loaded,
    accounts,
    time: { slot: toSlot(BigInt(slot)), unix: toUnixSeconds(BigInt(blockTime)) },
    error: meta.err ?? undefined,
    logs: meta.logMessages,
    units: meta.computeUnitsConsumed,
    fee: BigInt(meta.fee),
    inner: new Map(
      meta.innerInstructions.map(({ index, instructions }) => [
        index,
        instructions.map((each) => ({
          instruction: toInstruction(each),
          stackHeight: each.stackHeight,
        })),
      ]),
    ),
    preBalances: meta.preBalances.map(BigInt),
    postBalances: meta.postBalances.map(BigInt),
    preTokenBalances: meta.preTokenBalances.map(toTokenBalance),
    postTokenBalances: meta.postTokenBalances.map(toTokenBalance),
  };
}

const toTokenBalance = ({
  accountIndex,
  mint,
  owner,
  programId,
  uiTokenAmount,
}: RecordedTokens): TokenAccountBalance => ({
  accountIndex,
  mint: toAddress(mint),
  owner: toAddress(owner),
  tokenProgram: toAddress(programId),
  amount: BigInt(uiTokenAmount.amount),
  decimals: uiTokenAmount.decimals,
});

import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { decodeBase64 } from '#core/base/encoding/base64.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { mainnetTransaction } from '../mainnet/mainnet-fixtures.ts';
import { toRpcTransaction } from '../protocol/streamed-transaction.ts';
import type { RpcTransaction, StreamedRpcTransaction } from './geyser-updates.ts';

type WireTransaction = Omit<RpcTransaction, 'transaction'> & {
  readonly slot: number;
  readonly blockTime: number;
  readonly transaction: readonly [string, 'base64'];
};

/** The recorded repayment as `getTransaction` returns it in the encoding `json`. */
export function repayTransaction() {
  const recorded = mainnetTransaction('repay') as WireTransaction;
  const { signatures, message } = decodeWireTransaction(
    decodeBase64(recorded.transaction[0], 'transaction'),
  );
  const json = {
    header: message.header,
    accountKeys: message.staticKeys,
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map(({ programIndex, accountIndexes, data }) => ({
      programIdIndex: programIndex,
      accounts: accountIndexes,
      data: encodeBase58(data),
      stackHeight: null,
    })),
    addressTableLookups: message.lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
      accountKey: table,
      writableIndexes,
      readonlyIndexes,
    })),
  };
  return { recorded, json: { ...recorded, transaction: { signatures, message: json } } };
}

/** The recorded flash loan, which failed. `json` is in the form of `getTransaction`. */
export function flashLoanTransaction() {
  const recorded = mainnetTransaction('flash-loan') as {
    readonly slot: string;
    readonly transaction: {
      readonly index: string;
      readonly meta: { readonly err: { readonly err: string } };
    };
  };
  const { index, meta } = recorded.transaction;
  const json = toRpcTransaction(recorded) as RpcTransaction;
  const streamed: StreamedRpcTransaction = {
    json,
    index: Number(index),
    error: Buffer.from(meta.err.err, 'base64'),
  };
  return { slot: BigInt(recorded.slot), json, streamed };
}

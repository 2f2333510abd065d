import { encodeBase58, encodeBase64, type Slot, type UnixSeconds } from '@tidegate/core/base';
import { toJsonNumber } from './json-number.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import type { EncodedTransaction } from './subscribe-update.ts';
import { decodeTransactionError } from './transaction-error.ts';
import { decodeSignedMessage } from './transaction-message.ts';
import { decodeTransactionMeta } from './transaction-meta.ts';

type TransactionContext = {
  readonly slot: Slot;
  readonly blockTime: UnixSeconds | undefined;
};

/**
 * A streamed transaction as a node returns it for `getTransaction` with the encoding `json`. Numbers that a JSON number
 * cannot hold exactly are strings.
 */
export function decodeTransactionJson(
  { signed, meta }: EncodedTransaction,
  { slot, blockTime }: TransactionContext,
) {
  const { signatures, message, version } = decodeSignedMessage(new ProtobufReader(signed));
  return {
    slot: toJsonNumber(slot),
    blockTime: blockTime === undefined ? null : toJsonNumber(blockTime),
    meta: decodeMeta(meta),
    transaction: { signatures, message },
    version,
  };
}

function decodeMeta(bytes: Uint8Array) {
  const { error, returnData, ...meta } = decodeTransactionMeta(new ProtobufReader(bytes));
  const err = error === undefined ? null : decodeTransactionError(error);
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    ...meta,
    ...(returnData !== undefined && {
      returnData: {
        programId: encodeBase58(returnData.programId),
        data: [encodeBase64(returnData.data), 'base64'],
      },
    }),
  };
}

import {
  decodeWireTransaction,
  type Message,
  SIGNATURE_BYTES,
} from '@tidegate/core/protocol/spl/transaction';
import { CodedError } from '../../errors/index.ts';

/** The size of a packet. */
export const MAX_TRANSACTION_BYTES = 1232;

/** A decoded transaction that has not been checked. */
export type ReceivedTransaction = {
  readonly wire: Uint8Array;
  /** The signed bytes. */
  readonly messageBytes: Uint8Array;
  readonly signatures: readonly string[];
  /** The first signature, which identifies the transaction. */
  readonly signature: string;
  readonly message: Message;
};

/** Throws if the bytes are not a transaction. */
export function receiveTransaction(wire: Uint8Array): ReceivedTransaction {
  const { signatures, message } = decodeWireTransaction(wire);
  const [signature] = signatures;
  if (signature === undefined) {
    throw new CodedError('MALFORMED_DATA', { what: 'transaction', reason: 'it has no signatures' });
  }
  // The signature count takes one byte: 128 or more do not fit into a packet.
  const messageBytes = wire.subarray(1 + signatures.length * SIGNATURE_BYTES);
  return { wire, messageBytes, signatures, signature, message };
}

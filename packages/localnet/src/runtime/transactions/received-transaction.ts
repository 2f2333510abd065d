import { CodedError } from '@tidegate/core/base';
import {
  decodeWireTransaction,
  type Message,
  SIGNATURE_BYTES,
} from '@tidegate/core/protocol/spl/transaction';

/** What one packet holds. */
export const MAX_TRANSACTION_BYTES = 1232;

/** A transaction as it came in, whatever it is worth. */
export type ReceivedTransaction = {
  readonly wire: Uint8Array;
  /** Of its message; the signatures are of them. */
  readonly signed: Uint8Array;
  readonly signatures: readonly string[];
  /** The first signature, which names it. */
  readonly signature: string;
  readonly message: Message;
};

/** Refused where the bytes are none that a node could read. */
export function receiveTransaction(wire: Uint8Array): ReceivedTransaction {
  const { signatures, message } = decodeWireTransaction(wire);
  const [signature] = signatures;
  if (signature === undefined) {
    throw new CodedError('MALFORMED_DATA', { what: 'transaction', reason: 'nobody signs it' });
  }
  // fewer than 128 signatures are counted in one byte, and more do not fit into a packet
  const signed = wire.subarray(1 + signatures.length * SIGNATURE_BYTES);
  return { wire, signed, signatures, signature, message };
}

import { sha512 } from '@noble/hashes/sha2.js';
import type { Address } from '@tidegate/core/base';
import { EMPTY_SIGNATURE } from '@tidegate/core/protocol/spl/transaction';
import { type ReceivedTransaction, receiveTransaction } from './received-transaction.ts';

/**
 * The signature of the payer identifies a transaction. If an impersonated payer has not signed, the hash of the message
 * takes its place: unsigned transactions would otherwise all be the same one.
 */
export function identifyUnsigned(
  received: ReceivedTransaction,
  impersonated: ReadonlySet<Address>,
): ReceivedTransaction {
  const { message, messageBytes, signature, wire } = received;
  const [payer] = message.staticKeys;
  if (signature !== EMPTY_SIGNATURE || payer === undefined || !impersonated.has(payer)) {
    return received;
  }
  const identified = wire.slice();
  identified.set(sha512(messageBytes), 1);
  return receiveTransaction(identified);
}

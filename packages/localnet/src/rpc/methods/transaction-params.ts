import { BASE58_ALPHABET, decodeBase58, decodeBase64 } from '@tidegate/core/base';
import { decodeWireMessage, type Message } from '@tidegate/core/protocol/spl/transaction';
import { hasCode } from '../../errors/index.ts';
import {
  MAX_TRANSACTION_BYTES,
  type ReceivedTransaction,
  receiveTransaction,
} from '../../runtime/transactions/received-transaction.ts';
import { transactionErrorMessage } from '../encoding/error-message.ts';
import { readTransactionEncoding } from '../encoding/transaction-encoding.ts';
import type { JsonObject } from '../json.ts';
import { readOptional } from '../params.ts';
import { invalidParams } from '../rpc-errors.ts';

/** Longest encoding of a transaction. */
const MAX_TEXT = { base58: 1683, base64: 1644 } as const;

/** Rust type names, which nodes use in their messages. */
const TRANSACTION = 'solana_transaction::versioned::VersionedTransaction';
const MESSAGE = 'solana_message::versions::VersionedMessage';

/** Reasons for data that cannot be decoded, as opposed to a decoded transaction that is invalid. */
const UNDECODABLE = /truncated|shortest form|follow the message|is not supported/;

type Encoding = keyof typeof MAX_TEXT;

/** The first parameter of `sendTransaction` and `simulateTransaction`. */
export function readTransactionParam(text: string, config: JsonObject): ReceivedTransaction {
  const wire = readBytes(text, readBinaryEncoding(config), TRANSACTION);
  return readWire(() => receiveTransaction(wire), {
    typeName: TRANSACTION,
    invalidMessage: `invalid transaction: ${transactionErrorMessage('SanitizeFailure')}`,
  });
}

/** The signed message, in base64. */
export function readMessageParam(text: string): Message {
  const bytes = readBytes(text, 'base64', MESSAGE);
  return readWire(() => decodeWireMessage(bytes), {
    typeName: MESSAGE,
    invalidMessage: 'invalid transaction message: index out of bounds',
  });
}

function readBinaryEncoding(config: JsonObject): Encoding {
  const encoding = readOptional(config['encoding'], readTransactionEncoding) ?? 'base58';
  if (encoding === 'base64') return encoding;
  if (encoding === 'base58' || encoding === 'binary') return 'base58';
  throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
}

function readBytes(text: string, encoding: Encoding, typeName: string): Uint8Array {
  const maxText = MAX_TEXT[encoding];
  const size = Buffer.byteLength(text);
  if (size > maxText) {
    throw invalidParams(
      `${encoding} encoded ${typeName} too large: ${size} bytes (max: encoded/raw ${maxText}/${MAX_TRANSACTION_BYTES})`,
    );
  }
  const bytes = encoding === 'base58' ? bytesOfBase58(text) : bytesOfBase64(text);
  if (bytes.length <= MAX_TRANSACTION_BYTES) return bytes;
  throw invalidParams(
    `decoded ${typeName} too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES} bytes)`,
  );
}

function bytesOfBase58(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes !== undefined) return bytes;
  const index = [...text].findIndex((letter) => !BASE58_ALPHABET.includes(letter));
  const character = [...text][index];
  throw invalidParams(
    `invalid base58 encoding: InvalidCharacter { character: '${character}', index: ${index} }`,
  );
}

function bytesOfBase64(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw invalidParams(`invalid base64 encoding: ${base64Fault(text)}`);
  }
}

/** The error of the node's base64 decoder. */
function base64Fault(text: string): string {
  const bytes = Buffer.from(text);
  const index = bytes.findIndex((byte) => !/[A-Za-z0-9+/=]/.test(String.fromCharCode(byte)));
  if (index !== -1) return `InvalidByte(${index}, ${bytes[index]})`;
  if (text.length % 4 === 1) return `InvalidLength(${text.length})`;
  if (text.length % 4 !== 0 || /=[^=]/.test(text)) return 'InvalidPadding';
  const last = text.replace(/=+$/, '').length - 1;
  return `InvalidLastSymbol(${last}, ${bytes[last]})`;
}

function readWire<Value>(
  read: () => Value,
  { typeName, invalidMessage }: { readonly typeName: string; readonly invalidMessage: string },
): Value {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    const { reason } = error.context;
    if (!UNDECODABLE.test(reason)) throw invalidParams(invalidMessage);
    throw invalidParams(`failed to deserialize ${typeName}: ${reason}`);
  }
}

import { decodeBase64 } from '../../../base/encoding/base64.ts';
import { CodedError, hasCode } from '../../../base/errors.ts';
import {
  decodeWireMessage,
  decodeWireTransaction,
  type SignedMessage,
} from '../../../protocol/spl/transaction/wire.ts';

/** A parsed transaction and its size in bytes. */
export type WireTransaction = SignedMessage & { readonly size: number };

const WHOLE = 'Send a complete wire transaction, signed or unsigned, as base64.';

/** Set in the first byte of a versioned message. */
const VERSION_BIT = 0x80;

/**
 * Accepts only the wire format with all signatures: a bare legacy message starts like a list of
 * signatures, and some bytes are valid as both.
 */
export function parseWireTransaction(text: string): WireTransaction {
  const bytes = unlessMalformed(() => decodeBase64(text), 'it is not base64');
  try {
    return { ...decodeWireTransaction(bytes), size: bytes.length };
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw invalid(describeFormat(bytes) ?? error.context.reason, error);
  }
}

/** A hint for bytes that are not a transaction. */
function describeFormat(bytes: Uint8Array): string | undefined {
  const [first = 0] = bytes;
  if (bytes.length === 0) return 'it is empty';
  if (isMessage(bytes)) {
    return 'it is a message without signatures; put the signature count and the signatures in front, 64 zero bytes for a missing one';
  }
  if (first > VERSION_BIT) {
    return `version ${first & ~VERSION_BIT} is not supported, only legacy and 0`;
  }
  return undefined;
}

function isMessage(bytes: Uint8Array): boolean {
  try {
    decodeWireMessage(bytes);
    return true;
  } catch {
    return false;
  }
}

function unlessMalformed<Value>(read: () => Value, what: string): Value {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw invalid(`${what}: ${error.context.reason}`, error);
  }
}

const invalid = (reason: string, cause: CodedError): CodedError =>
  new CodedError('INVALID_TRANSACTION', { reason, change: WHOLE }, cause);

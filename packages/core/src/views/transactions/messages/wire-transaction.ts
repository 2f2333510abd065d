import { decodeBase64 } from '../../../base/encoding/base64.ts';
import { CodedError, hasCode } from '../../../base/errors.ts';
import {
  decodeWireMessage,
  decodeWireTransaction,
  type SignedMessage,
} from '../../../protocol/spl/transaction/wire.ts';

/** A transaction as somebody sent it: what it says, and how many bytes it has. */
export type WireTransaction = SignedMessage & { readonly size: number };

const WHOLE = 'Send a whole wire transaction, signed or not, as base64.';

/** Set in the first byte of a message that has a version. */
const VERSION_BIT = 0x80;

/**
 * Only the form that is sent, with a place for every signature: a bare legacy message starts like the signatures
 * of a transaction, and bytes can be made that read well as both.
 */
export function parseWireTransaction(text: string): WireTransaction {
  const bytes = unlessMalformed(() => decodeBase64(text), 'it is not base64');
  try {
    return { ...decodeWireTransaction(bytes), size: bytes.length };
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw invalid(strangeForm(bytes) ?? error.context.reason, error);
  }
}

/** What bytes that are no transaction seem to be. */
function strangeForm(bytes: Uint8Array): string | undefined {
  const [first = 0] = bytes;
  if (bytes.length === 0) return 'it is empty';
  if (isMessage(bytes)) {
    return 'it is a message alone; its signatures, or 64 zero bytes for each, and their number go in front';
  }
  if (first > VERSION_BIT) return `version ${first & ~VERSION_BIT} is not known, only legacy and 0`;
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

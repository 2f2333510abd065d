import { decodeBase58, decodeBase64, encodeBase64 } from '../../format/bytes.ts';

/** What a pasted text is. */
export type TransactionInput =
  | { readonly kind: 'empty' }
  | { readonly kind: 'transaction'; readonly base64: string }
  /** It names a transaction and does not contain it. */
  | { readonly kind: 'signature'; readonly signature: string }
  | { readonly kind: 'invalid'; readonly reason: string; readonly advice: string };

const SIGNATURE_BYTES = 64;
/** Three bytes of header, one key, a blockhash, and a count of instructions. */
const SMALLEST_MESSAGE = 3 + 1 + 32 + 32 + 1;
/** A transaction with more signatures does not fit into a packet. */
const MAX_SIGNATURES = 12;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const BASE64_URL = /^[A-Za-z0-9_-]+={0,2}$/;
const HEX = /^(0x)?([0-9a-fA-F]{2})+$/;
const ADVICE = 'Paste a transaction in base64 or base58, or a signature.';

/** Reads base64, base64url, base58, a signature, or JSON that has one of them as the node and the builders return it. */
export function readTransactionInput(pasted: string): TransactionInput {
  const text = (fromJson(pasted) ?? pasted).replaceAll(/[\s"'`,;]/g, '');
  if (text === '') return { kind: 'empty' };
  const base58 = decodeBase58(text);
  if (base58?.length === SIGNATURE_BYTES) return { kind: 'signature', signature: text };
  if (base58 !== undefined && isPlausible(base58)) return transaction(base58);
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (BASE64.test(text) || BASE64_URL.test(text)) return readBase64(standard);
  return unreadable(text);
}

const transaction = (bytes: Uint8Array): TransactionInput => ({
  kind: 'transaction',
  base64: encodeBase64(bytes),
});

function readBase64(text: string): TransactionInput {
  const unpadded = text.replace(/=+$/, '');
  if (unpadded.length % 4 === 1) {
    return {
      kind: 'invalid',
      reason: `Base64 of ${unpadded.length} characters is incomplete: a character is missing or too many.`,
      advice: 'Copy the whole transaction again.',
    };
  }
  const bytes = decodeBase64(unpadded);
  if (isPlausible(bytes)) return transaction(bytes);
  if (HEX.test(text)) return hexadecimal();
  return {
    kind: 'invalid',
    reason: `The text has ${bytes.length} bytes and does not begin with signatures and a message, so it is not a transaction.`,
    advice: ADVICE,
  };
}

const hexadecimal = (): TransactionInput => ({
  kind: 'invalid',
  reason: 'The text is hexadecimal.',
  advice: 'Convert it to base64 first; Solana tools have an option for it.',
});

function unreadable(text: string): TransactionInput {
  const character = [...text].find((each) => !/[A-Za-z0-9+/=_-]/.test(each));
  const reason =
    character === undefined
      ? 'The text is neither base64 nor base58.'
      : `“${character}” is neither in base64 nor in base58.`;
  return { kind: 'invalid', reason, advice: ADVICE };
}

/** The number of signatures, the signatures, and a message after them. */
function isPlausible(bytes: Uint8Array): boolean {
  const [count = 0] = bytes;
  const rest = bytes.length - 1 - count * SIGNATURE_BYTES;
  return count >= 1 && count <= MAX_SIGNATURES && rest >= SMALLEST_MESSAGE;
}

/** `{"transaction": "…"}` of a builder, `{"result": {"transaction": ["…", "base64"]}}` of a node. */
function fromJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return findText(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function findText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return findText(value[0]);
  if (typeof value !== 'object' || value === null) return undefined;
  const { transaction: own, result, signature } = value as Record<string, unknown>;
  return findText(own ?? result ?? signature);
}

import {
  type Address,
  type ClusterAccount,
  type KeyedAccount,
  toAddress,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import {
  malformedData,
  parseJson,
  requireInteger,
  requireObject,
  requireString,
} from './response-values.ts';
import { decompressZstdFrame, decompressZstdFrameUpTo } from './zstd-frame.ts';

export type RpcAccountEncoding = 'base64' | 'base64+zstd';

/** Solana's limit. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
const LAMPORTS = /"lamports"\s*:\s*(\d+)\s*[,}]/;
/** JSON numbers are exact below 2^53, which has 16 digits. */
const LARGE_LAMPORTS = /"lamports"\s*:\s*(\d{16,20})(?=\s*[,}])/g;
const LARGE_DIGITS = /^\d{16,20}$/;

/** `part`: a slice of the data was requested. */
type AccountContent = 'whole' | 'part';

/** One element of `getMultipleAccounts`. */
export function parseAccountJson(
  text: string,
  content: AccountContent = 'whole',
): ClusterAccount | undefined {
  return text === 'null' ? undefined : parseAccountValue(parseJson(text, 'account'), text, content);
}

/** One element of `getProgramAccounts`, or the value of a program's notification. */
export function parseNamedAccountJson(
  text: string,
  content: AccountContent = 'whole',
): KeyedAccount {
  const { pubkey, account } = parseNamedFields(parseJson(text, 'account'));
  const parsed = parseAccountValue(account, text, content);
  if (parsed === undefined) throw malformedData('account', 'it does not exist');
  return { address: toAddress(requireString(pubkey, 'address of an account')), account: parsed };
}

export function parseNamedFields(value: unknown): { pubkey: unknown; account: unknown } {
  const { pubkey, account } = requireObject(value, 'named account');
  return { pubkey, account };
}

/** Quotes large lamport values in JSON with several accounts, so that parsing does not round them. */
export const quoteLargeLamports = (text: string): string =>
  text.replaceAll(LARGE_LAMPORTS, '"lamports":"$1"');

/**
 * `text`: the JSON of the value; it must not contain other accounts. Returns undefined for an account without lamports,
 * which is how nodes announce a closed account.
 */
export function parseAccountValue(
  value: unknown,
  text: string,
  content: AccountContent = 'whole',
): ClusterAccount | undefined {
  const account = requireObject(value, 'account');
  const lamports = exactLamports(account['lamports'], text);
  const owner = toAddress(requireString(account['owner'], 'owner of an account'));
  const data = decodeData(account['data'], account['space']);
  if (lamports === 0n) return undefined;
  requireSpace(data, account['space'], content);
  requireExecutable(account['executable'], owner);
  return { owner, lamports, data };
}

/** Nodes return the size of the whole account beside its data. */
function requireSpace(data: Uint8Array, value: unknown, content: AccountContent): void {
  if (value === undefined) return;
  const space = requireInteger(value, 'space of an account');
  const isRight = content === 'whole' ? data.length === space : data.length <= space;
  if (isRight) return;
  throw malformedData('data of an account', `it has ${data.length} bytes instead of ${space}`);
}

/** Only accounts of a loader are programs. */
function requireExecutable(value: unknown, owner: Address): void {
  if (value === false || value === undefined) return;
  if (value === true && isLoader(owner)) return;
  throw malformedData('account', 'its `executable` is wrong');
}

const isLoader = (owner: Address): boolean => /^(?:BPF|Native)?Loader/.test(owner);

/** JSON numbers above 2^53 are rounded, so the digits come from the text. */
function exactLamports(value: unknown, text: string): bigint {
  if (typeof value === 'string' && LARGE_DIGITS.test(value)) return requireU64(BigInt(value));
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw malformedData('lamports of an account', 'they are not an integer');
  }
  if (Number.isSafeInteger(value)) return BigInt(value);
  const digits = LAMPORTS.exec(text)?.[1];
  if (digits === undefined) throw malformedData('lamports of an account', 'they are not a number');
  return requireU64(BigInt(digits));
}

function requireU64(lamports: bigint): bigint {
  if (lamports < 2n ** 64n) return lamports;
  throw malformedData('lamports of an account', 'they exceed 64 bits');
}

function decodeData(value: unknown, space: unknown): Uint8Array {
  const [text, encoding] = Array.isArray(value) ? value : [];
  const encoded = decodeBase64(requireString(text, 'data of an account'));
  if (encoded.length > MAX_ACCOUNT_BYTES) {
    throw malformedData('data of an account', 'it exceeds the maximum account size');
  }
  if (encoding === 'base64') return encoded;
  if (encoding !== 'base64+zstd')
    throw malformedData('data of an account', 'its encoding is unknown');
  return decompressData(
    encoded,
    space === undefined ? undefined : requireInteger(space, 'space of an account'),
  );
}

function decompressData(encoded: Uint8Array, space: number | undefined): Uint8Array {
  if (space !== undefined && space > MAX_ACCOUNT_BYTES) {
    throw malformedData('space of an account', 'it exceeds the maximum account size');
  }
  try {
    return space === undefined
      ? decompressZstdFrameUpTo(encoded, MAX_ACCOUNT_BYTES)
      : decompressZstdFrame(encoded, space);
  } catch (cause) {
    const reason = 'it does not decompress';
    throw new CodedError('MALFORMED_DATA', { what: 'data of an account', reason }, cause);
  }
}

/** Node's decoder is much faster than a JavaScript one, but skips invalid characters, so the length is checked. */
function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array(Math.floor(text.length / 4) * 3 - padding);
  const written = Buffer.from(bytes.buffer).write(text, 'base64');
  if (text.length % 4 !== 0 || written !== bytes.length) {
    throw malformedData('data of an account', 'it is not base64');
  }
  return bytes;
}

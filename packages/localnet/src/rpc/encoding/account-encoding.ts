import {
  type Address,
  type ClusterAccount,
  encodeBase58,
  type KeyedAccount,
  toAddress,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { isUpgradeableProgram } from '@tidegate/core/protocol/spl';
import type { BankView } from '../../runtime/bank.ts';
import type { Json, JsonObject } from '../json.ts';
import { readEnum, readInteger, readObject, readOptional, requireField } from '../params.ts';
import { invalidRequest } from '../rpc-errors.ts';
import { parseTokenAccountData } from './parsed-token-account.ts';
import { encodeZstdFrame } from './zstd-frame.ts';

/** `binary` is base58 without the encoding name: the oldest form and still the default of nodes. */
const ENCODINGS = ['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd'] as const;

export type AccountEncoding = (typeof ENCODINGS)[number];

export type AccountEncodingOptions = {
  readonly encoding: AccountEncoding;
  readonly slice: { readonly offset: number; readonly length: number } | undefined;
  /** Notifications cannot fail: data that is too long for base58 is replaced by an error text. */
  readonly isNotification: boolean;
};

const MAX_BASE58_BYTES = 128;
const RENT_EXEMPT_EPOCH = 0xffff_ffff_ffff_ffffn;

const LOADERS: readonly Address[] = [
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
].map(toAddress);

/** A deleted account in a notification. */
const NO_ACCOUNT: ClusterAccount = { owner: ZERO_ADDRESS, lamports: 0n, data: new Uint8Array() };

export function readAccountEncoding(
  config: JsonObject,
  defaultEncoding: AccountEncoding,
): AccountEncodingOptions {
  const encoding =
    readOptional(config['encoding'], (value) => readEnum(value, ENCODINGS)) ?? defaultEncoding;
  const slice = readOptional(config['dataSlice'], (value) => {
    const sliceConfig = readObject(value, 'struct UiDataSliceConfig');
    return {
      offset: readInteger(requireField(sliceConfig, 'offset'), 'usize'),
      length: readInteger(requireField(sliceConfig, 'length'), 'usize'),
    };
  });
  return { encoding, slice, isNotification: false };
}

/** An account in a node's JSON form. The view provides the mints of token accounts. */
export function encodeAccount(
  { address, account = NO_ACCOUNT }: { address: Address; account?: ClusterAccount | undefined },
  options: AccountEncodingOptions,
  view: BankView,
): Json {
  return {
    data: encodeData({ address, account }, options, view),
    executable: LOADERS.includes(account.owner) || isUpgradeableProgram(account),
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
  };
}

export const encodeKeyedAccount = (
  keyedAccount: KeyedAccount,
  options: AccountEncodingOptions,
  view: BankView,
): Json => ({
  pubkey: keyedAccount.address,
  account: encodeAccount(keyedAccount, options, view),
});

function encodeData(
  { account }: KeyedAccount,
  options: AccountEncodingOptions,
  view: BankView,
): Json {
  const { offset, length } = options.slice ?? { offset: 0, length: account.data.length };
  const data = account.data.subarray(offset, offset + length);
  switch (options.encoding) {
    case 'binary':
      return base58(data, options);
    case 'base58':
      return [base58(data, options), 'base58'];
    case 'base64':
      return [base64(data), 'base64'];
    case 'base64+zstd':
      return [base64(encodeZstdFrame(data)), 'base64+zstd'];
    case 'jsonParsed':
      return parseTokenAccountData(account, view) ?? [base64(data), 'base64'];
  }
}

/** Native, and many times as fast as the encoder of the core, which runs in browsers too. */
const base64 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('base64');

function base58(data: Uint8Array, { isNotification }: AccountEncodingOptions): string {
  if (data.length <= MAX_BASE58_BYTES) return encodeBase58(data);
  if (isNotification) return 'error: data too large for bs58 encoding';
  throw invalidRequest(
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
}

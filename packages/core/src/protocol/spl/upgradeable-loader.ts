import { sha256 } from '@noble/hashes/sha2.js';
import {
  type Address,
  addressFromBytes,
  addressToBytes,
  toAddress,
} from '../../base/encoding/address.ts';
import { bytesToHex, concatBytes } from '../../base/encoding/bytes.ts';
import { u8, u32, u64 } from '../../base/encoding/layout.ts';
import { CodedError } from '../../base/errors.ts';
import type { RawAccount } from '../../base/solana/account.ts';
import { deriveAddress } from '../../base/solana/pda.ts';
import { type Slot, toSlot } from '../../base/time.ts';

/** The loader that owns programs which can be upgraded, and their data. */
export const UPGRADEABLE_LOADER = toAddress('BPFLoaderUpgradeab1e11111111111111111111111');

/** What an account of the loader starts with. */
const PROGRAM_TAG = 2;
const PROGRAM_DATA_TAG = 3;
const TAG_BYTES = 4;
const PROGRAM_BYTES = 36;
const AUTHORITY_TAG_AT = 12;
const AUTHORITY_AT = 13;

/** Tag, deploy slot and upgrade authority of a program data account; the executable follows. */
export const PROGRAM_DATA_HEADER_BYTES = 45;

export type ProgramDataHeader = {
  readonly deploySlot: Slot;
  /** Undefined if nobody can upgrade the program any more. */
  readonly authority: Address | undefined;
};

/** The account with the executable of an upgradeable program. */
export const programDataAddress = (program: Address): Address =>
  deriveAddress('', [program], UPGRADEABLE_LOADER);

/** The data of a program account, which names its program data account. */
export const encodeProgram = (programData: Address): Uint8Array =>
  concatBytes([tagBytes(PROGRAM_TAG), addressToBytes(programData)]);

/** Whether the account is that of an upgradeable program, which is executable, and not its data. */
export const isUpgradeableProgram = ({ owner, data }: RawAccount): boolean =>
  owner === UPGRADEABLE_LOADER && data.length >= PROGRAM_BYTES && tagOf(data) === PROGRAM_TAG;

/** The program data account that a program account names. Throws MALFORMED_DATA for another account. */
export function decodeProgram(account: RawAccount): Address {
  if (isUpgradeableProgram(account)) {
    return addressFromBytes(account.data.slice(TAG_BYTES, PROGRAM_BYTES));
  }
  throw malformed('program', 'it is not an upgradeable program');
}

export function encodeProgramData(
  { deploySlot, authority }: ProgramDataHeader,
  executable: Uint8Array,
): Uint8Array {
  const data = new Uint8Array(PROGRAM_DATA_HEADER_BYTES + executable.length);
  const view = new DataView(data.buffer);
  u32.encode(view, 0, PROGRAM_DATA_TAG);
  u64.encode(view, TAG_BYTES, deploySlot);
  if (authority !== undefined) {
    u8.encode(view, AUTHORITY_TAG_AT, 1);
    data.set(addressToBytes(authority), AUTHORITY_AT);
  }
  data.set(executable, PROGRAM_DATA_HEADER_BYTES);
  return data;
}

/** Whether the account, or its first 45 bytes, have the header of program data. */
export const isProgramData = ({ owner, data }: RawAccount): boolean =>
  owner === UPGRADEABLE_LOADER &&
  data.length >= PROGRAM_DATA_HEADER_BYTES &&
  tagOf(data) === PROGRAM_DATA_TAG;

/** Of the account, or of its first 45 bytes. Throws MALFORMED_DATA for another account. */
export function decodeProgramDataHeader(account: RawAccount): ProgramDataHeader {
  const { data } = account;
  if (!isProgramData(account)) throw malformed('program data', 'it has no executable');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const hasAuthority = u8.decode(view, AUTHORITY_TAG_AT) !== 0;
  return {
    deploySlot: toSlot(u64.decode(view, TAG_BYTES)),
    authority: hasAuthority
      ? addressFromBytes(data.slice(AUTHORITY_AT, PROGRAM_DATA_HEADER_BYTES))
      : undefined,
  };
}

/** The executable of a program data account, as it is stored: with the zeros that follow it. */
export const executableOf = (data: Uint8Array): Uint8Array =>
  data.subarray(PROGRAM_DATA_HEADER_BYTES);

/**
 * sha256 of an executable without the zeros at its end, as verification tools compute it: the account may be larger than
 * what was deployed.
 */
export const executableHash = (executable: Uint8Array): string =>
  bytesToHex(sha256(withoutTrailingZeros(executable)));

function withoutTrailingZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

function tagBytes(tag: number): Uint8Array {
  const bytes = new Uint8Array(TAG_BYTES);
  u32.encode(new DataView(bytes.buffer), 0, tag);
  return bytes;
}

const tagOf = (data: Uint8Array): number =>
  u32.decode(new DataView(data.buffer, data.byteOffset, data.byteLength), 0);

const malformed = (what: string, reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what, reason });

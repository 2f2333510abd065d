import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';

/** The address of a word and some keys with its bump, which accounts keep beside it. */
export const derivedAddress = (
  word: string,
  keys: readonly Address[],
  program: Address,
): ProgramAddress =>
  findProgramAddress([bytesFromText(word), ...keys.map(addressToBytes)], program);

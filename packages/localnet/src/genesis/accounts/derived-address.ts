import {
  type Address,
  addressToBytes,
  bytesOfText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';

/** The address of a word and some keys with its bump, which accounts keep beside it. */
export const derived = (word: string, keys: readonly Address[], program: Address): ProgramAddress =>
  findProgramAddress([bytesOfText(word), ...keys.map(addressToBytes)], program);

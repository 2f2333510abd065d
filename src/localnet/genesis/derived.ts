import { type Address, addressToBytes } from '../../base/address.ts';
import { bytesOfText } from '../../base/bytes.ts';
import { findProgramAddress, type ProgramAddress } from '../../base/pda.ts';

/** The address of a word and some keys with its bump, which accounts keep beside it. */
export const derived = (word: string, keys: readonly Address[], program: Address): ProgramAddress =>
  findProgramAddress([bytesOfText(word), ...keys.map(addressToBytes)], program);

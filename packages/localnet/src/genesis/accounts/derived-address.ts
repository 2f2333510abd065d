import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';

/** A program address with its bump, which accounts store next to it. */
export const derivedAddress = (
  prefix: string,
  keys: readonly Address[],
  program: Address,
): ProgramAddress =>
  findProgramAddress([bytesFromText(prefix), ...keys.map(addressToBytes)], program);

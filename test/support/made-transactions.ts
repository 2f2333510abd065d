import type { Address } from '../../src/base/address.ts';
import { bytesOfText } from '../../src/base/bytes.ts';
import type { Instruction } from '../../src/base/instruction.ts';
import type { LookupTable } from '../../src/builders/build.ts';
import { compileTransaction } from '../../src/builders/transaction.ts';
import { createSigner, type Signer, signWire } from '../../src/localnet/signer.ts';

/** Somebody with a key, by name. */
export const madeSigner = (name: string): Signer =>
  createSigner(bytesOfText(name.padEnd(32, '.')).subarray(0, 32));

export type MadeTransaction = {
  readonly instructions: readonly Instruction[];
  /** The first pays. */
  readonly signers: readonly [Signer, ...Signer[]];
  readonly blockhash: string;
  readonly tables?: readonly LookupTable[];
};

/** Compiled and signed. */
export function madeWire({ instructions, signers, blockhash, tables = [] }: MadeTransaction) {
  const wallet: Address = signers[0].address;
  return signWire(compileTransaction({ wallet, instructions, tables }, blockhash).wire, signers);
}

import type { Address } from '#core/base/encoding/address.ts';
import { bytesOfText } from '#core/base/encoding/bytes.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { LookupTable } from '#core/builders/build.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { createSigner, type Signer, signWire } from '#localnet/runtime/signer.ts';

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

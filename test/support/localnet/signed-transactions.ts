import type { Address } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { LookupTable } from '#core/builders/build.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { createSigner, type Signer, signTransaction } from '#localnet/runtime/signer.ts';

/** A signer whose key derives from the name. */
export const namedSigner = (name: string): Signer =>
  createSigner(bytesFromText(name.padEnd(32, '.')).subarray(0, 32));

export type TransactionFields = {
  readonly instructions: readonly Instruction[];
  /** The first one pays. */
  readonly signers: readonly [Signer, ...Signer[]];
  readonly blockhash: string;
  readonly lookupTables?: readonly LookupTable[];
};

export function signedWire({
  instructions,
  signers,
  blockhash,
  lookupTables = [],
}: TransactionFields) {
  const wallet: Address = signers[0].address;
  return signTransaction(
    compileTransaction({ wallet, instructions, lookupTables }, blockhash).wire,
    signers,
  );
}

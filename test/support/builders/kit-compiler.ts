import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction as KitInstruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { toAddress } from '#core/base/encoding/address.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import type { Build } from '#core/builders/build.ts';

type Compilable = Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>;

/** The unsigned wire transaction that kit makes of a build. */
export function kitWire(
  { wallet, instructions, lookupTables }: Compilable,
  blockhash: string,
): Uint8Array {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(address(wallet), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions.map(toKit), m),
    (m) => compressTransactionMessageUsingAddressLookupTables(m, byAddress(lookupTables)),
  );
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
}

/** What kit reads from a wire transaction: roles are those over the whole transaction. */
export function kitInstructions(wire: Uint8Array, tables: Build['lookupTables']): Instruction[] {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { instructions }: { readonly instructions: readonly KitInstruction[] } =
    decompileTransactionMessage(compiled, { addressesByLookupTableAddress: byAddress(tables) });
  return instructions.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    programAddress: toAddress(programAddress),
    accounts: accounts.map((meta) => ({
      address: toAddress(meta.address),
      role: meta.role as Role,
    })),
    data: Uint8Array.from(data),
  }));
}

const toKit = ({ programAddress, accounts, data }: Instruction) => ({
  programAddress: address(programAddress),
  accounts: accounts.map((meta) => ({ address: address(meta.address), role: meta.role })),
  data,
});

const byAddress = (tables: Build['lookupTables']) =>
  Object.fromEntries(
    tables.map((table) => [table.address, table.addresses.map((text) => address(text))]),
  );

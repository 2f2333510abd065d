import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { Instruction, Role } from '#core/base/solana/instruction.ts';
import type { LookupTable } from '#core/builders/build.ts';

/** JSON of the instruction form of a builder. */
export type BundleJson = {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly {
      readonly address: string;
      readonly role: string;
      readonly signer?: { readonly address: string };
    }[];
    readonly data: string | null;
  }[];
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
};

const roles: Readonly<Record<string, Role>> = {
  READONLY: 0,
  WRITABLE: 1,
  READONLY_SIGNER: 2,
  WRITABLE_SIGNER: 3,
};

export type Bundle = {
  readonly instructions: readonly Instruction[];
  readonly tables: readonly LookupTable[];
};

export function readBundle({ instructions, lutsByAddress }: BundleJson): Bundle {
  return {
    instructions: instructions.map(({ programAddress, accounts, data }) => ({
      programAddress: toAddress(programAddress),
      accounts: accounts.map(({ address, role }) => ({
        address: toAddress(address),
        role: roles[role] ?? 0,
      })),
      data: Uint8Array.from(Buffer.from(data ?? '', 'base64')),
    })),
    tables: Object.entries(lutsByAddress).map(([address, addresses]) => ({
      address: toAddress(address),
      addresses: addresses.map((text): Address => toAddress(text)),
    })),
  };
}

import type { Static } from 'typebox';
import { encodeBase64 } from '../base/base64.ts';
import { type AccountMeta, type Instruction, type Role, SIGN } from '../base/instruction.ts';
import type { Build } from '../builders/build.ts';
import type { InstructionBundle } from './schemas/builders.ts';

type Json = Static<typeof InstructionBundle>;
type Entry = Json['instructions'][number];

const roleNames: Readonly<Record<Role, string>> = {
  0: 'READONLY',
  1: 'WRITABLE',
  2: 'READONLY_SIGNER',
  3: 'WRITABLE_SIGNER',
};

export function bundleJson({ instructions, tables }: Build): Json {
  return {
    instructions: instructions.map(instructionJson),
    lutsByAddress: Object.fromEntries(tables.map(({ address, addresses }) => [address, addresses])),
  };
}

const instructionJson = ({ programAddress, accounts, data }: Instruction): Entry => ({
  programAddress,
  accounts: accounts.map(accountJson),
  data: data.length === 0 ? null : encodeBase64(data),
});

const accountJson = ({ address, role }: AccountMeta): Entry['accounts'][number] => ({
  address,
  role: roleNames[role],
  ...((role & SIGN) !== 0 && { signer: { address } }),
});

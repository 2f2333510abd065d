import {
  type AccountMeta,
  encodeBase64,
  type Instruction,
  type Role,
  SIGN,
} from '@tidegate/core/base';
import type { Build } from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { InstructionBundle } from './builder-schemas.ts';

type Json = Static<typeof InstructionBundle>;
type Entry = Json['instructions'][number];

const roleNames: Readonly<Record<Role, string>> = {
  0: 'READONLY',
  1: 'WRITABLE',
  2: 'READONLY_SIGNER',
  3: 'WRITABLE_SIGNER',
};

export function instructionBundleJson({ instructions, lookupTables }: Build): Json {
  return {
    instructions: instructions.map(instructionJson),
    lutsByAddress: Object.fromEntries(
      lookupTables.map(({ address, addresses }) => [address, addresses]),
    ),
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

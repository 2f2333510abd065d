import {
  decodeBase64,
  type Instruction,
  READ,
  type Role,
  SIGN,
  SIGN_WRITE,
  toAddress,
  WRITE,
} from '@tidegate/core/base';
import { resultOrError, type SwapInstructions } from '@tidegate/core/builders';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, Base64String } from '../../../http/schemas/primitives.ts';

const roles = {
  READONLY: READ,
  WRITABLE: WRITE,
  READONLY_SIGNER: SIGN,
  WRITABLE_SIGNER: SIGN_WRITE,
} as const satisfies Readonly<Record<string, Role>>;

const MAX_INSTRUCTIONS = 16;
const MAX_ACCOUNTS = 64;
const MAX_TABLES = 5;

/** The same form as that of the instructions that builders return. */
const SwapInstruction = Type.Object(
  {
    programAddress: describe(AddressString, 'Address of the program'),
    accounts: Type.Array(
      Type.Object({
        address: describe(AddressString, 'Address of the account'),
        role: Type.Unsafe<keyof typeof roles>({
          type: 'string',
          enum: Object.keys(roles),
          description: 'Whether the account is writable and whether it signs; only the wallet may',
        }),
      }),
      { maxItems: MAX_ACCOUNTS, description: 'Accounts of the instruction in order' },
    ),
    data: describe(
      Type.Union([Base64String, Type.Null()]),
      'Instruction data, base64; null if there is none',
    ),
  },
  { title: 'SwapInstruction' },
);

export const Swap = Type.Object(
  {
    instructions: Type.Array(SwapInstruction, {
      minItems: 1,
      maxItems: MAX_INSTRUCTIONS,
      description: 'Instructions of the swap in order of execution',
    }),
    lookupTables: Type.Optional(
      Type.Array(AddressString, {
        maxItems: MAX_TABLES,
        description: 'Lookup tables that hold accounts of the swap',
      }),
    ),
  },
  { title: 'Swap', description: 'The swap that the transaction executes' },
);

export const parseSwap = ({
  instructions,
  lookupTables = [],
}: Static<typeof Swap>): SwapInstructions => ({
  instructions: instructions.map(parseInstruction),
  lookupTables: lookupTables.map(toAddress),
});

function parseInstruction(
  { programAddress, accounts, data }: Static<typeof SwapInstruction>,
  index: number,
): Instruction {
  const bytes = resultOrError(() => decodeBase64(data ?? ''));
  if (!(bytes instanceof Uint8Array)) {
    const reason = `the data of instruction ${index} is not base64`;
    throw new CodedError('SWAP_NOT_ACCEPTED', { reason });
  }
  return {
    programAddress: toAddress(programAddress),
    accounts: accounts.map(({ address, role }) => ({
      address: toAddress(address),
      role: roles[role],
    })),
    data: bytes,
  };
}

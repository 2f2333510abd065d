import { type Address, encodeBase58, type Instruction } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { MEMO_PROGRAMS, parseMemo } from '../../runtime/transactions/memo-text.ts';
import type { Json, JsonFields } from '../json.ts';
import type { InstructionParser } from './instruction-parser.ts';
import {
  associatedTokenInstructionParsers,
  systemInstructionParsers,
} from './parsed-system-instructions.ts';
import { tokenInstructionParsers } from './parsed-token-instructions.ts';

type KnownProgram = { readonly name: string; readonly parsers: readonly InstructionParser[] };

const programs: ReadonlyMap<Address, KnownProgram> = new Map([
  [SYSTEM_PROGRAM, { name: 'system', parsers: systemInstructionParsers }],
  [TOKEN_PROGRAM, { name: 'spl-token', parsers: tokenInstructionParsers }],
  [TOKEN_2022_PROGRAM, { name: 'spl-token', parsers: tokenInstructionParsers }],
  [
    ASSOCIATED_TOKEN_PROGRAM,
    { name: 'spl-associated-token-account', parsers: associatedTokenInstructionParsers },
  ],
]);

/** Parsed if a node knows the instruction, otherwise with accounts and base58 data. */
export function instructionJson(instruction: Instruction, stackHeight: number): Json {
  const { programAddress: programId, accounts, data } = instruction;
  const parsed = parseKnown(instruction);
  if (parsed !== undefined) return { ...parsed, programId, stackHeight };
  const addresses = accounts.map(({ address }) => address);
  return { programId, accounts: addresses, data: encodeBase58(data), stackHeight };
}

function parseKnown({ programAddress, accounts, data }: Instruction): JsonFields | undefined {
  if (MEMO_PROGRAMS.includes(programAddress)) {
    const parsed = parseMemo(data);
    return parsed === undefined ? undefined : { program: 'spl-memo', parsed };
  }
  const program = programs.get(programAddress);
  const addresses = accounts.map(({ address }) => address);
  const parsed = program?.parsers
    .find(({ discriminator }) => hasDiscriminator(discriminator, data))
    ?.parse(programAddress, addresses, data);
  return program && parsed && { program: program.name, parsed };
}

/** An empty discriminator matches empty data only. */
const hasDiscriminator = (discriminator: Uint8Array, data: Uint8Array): boolean =>
  discriminator.length === 0
    ? data.length === 0
    : discriminator.every((byte, i) => byte === data[i]);

import { type Address, encodeBase58, type Instruction } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { Json, JsonFields } from '../json.ts';
import type { InstructionParser } from './instruction-parser.ts';
import {
  associatedTokenInstructionParsers,
  systemInstructionParsers,
} from './parsed-system-instructions.ts';
import { tokenInstructionParsers } from './parsed-token-instructions.ts';

type KnownProgram = { readonly name: string; readonly readers: readonly InstructionParser[] };

const programs: ReadonlyMap<Address, KnownProgram> = new Map([
  [SYSTEM_PROGRAM, { name: 'system', readers: systemInstructionParsers }],
  [TOKEN_PROGRAM, { name: 'spl-token', readers: tokenInstructionParsers }],
  [TOKEN_2022_PROGRAM, { name: 'spl-token', readers: tokenInstructionParsers }],
  [
    ASSOCIATED_TOKEN_PROGRAM,
    { name: 'spl-associated-token-account', readers: associatedTokenInstructionParsers },
  ],
]);

const MEMO_PROGRAMS: readonly Address[] = [MEMO_V1_PROGRAM, MEMO_PROGRAM];

/** In words where a node has them, otherwise its accounts and its data in base58. */
export function instructionJson(instruction: Instruction, stackHeight: number): Json {
  const { programAddress: programId, accounts, data } = instruction;
  const known = parseKnown(instruction);
  if (known !== undefined) return { ...known, programId, stackHeight };
  const addresses = accounts.map(({ address }) => address);
  return { programId, accounts: addresses, data: encodeBase58(data), stackHeight };
}

/** All memos of a transaction's own instructions, each behind its length; undefined where there is none. */
export function memoText(instructions: readonly Instruction[]): string | undefined {
  const memos = instructions
    .filter(({ programAddress }) => MEMO_PROGRAMS.includes(programAddress))
    .map(({ data }) => `[${data.length}] ${parseMemo(data) ?? '(unparseable)'}`);
  return memos.length === 0 ? undefined : memos.join('; ');
}

function parseKnown({ programAddress, accounts, data }: Instruction): JsonFields | undefined {
  if (MEMO_PROGRAMS.includes(programAddress)) {
    const parsed = parseMemo(data);
    return parsed === undefined ? undefined : { program: 'spl-memo', parsed };
  }
  const program = programs.get(programAddress);
  const addresses = accounts.map(({ address }) => address);
  const parsed = program?.readers
    .find(({ start }) => isStart(start, data))
    ?.read(programAddress, addresses, data);
  return program && parsed && { program: program.name, parsed };
}

/** An instruction without a number has no data at all. */
const isStart = (start: Uint8Array, data: Uint8Array): boolean =>
  start.length === 0 ? data.length === 0 : start.every((byte, i) => byte === data[i]);

/** Undefined where it is not text. */
function parseMemo(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

import type { Address } from '@tidegate/core/base';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { Program } from '../../runtime/program.ts';
import { associatedTokenProgram } from './associated-token-program.ts';
import { lookupTableProgram } from './lookup-table-program.ts';
import { memoProgram, memoV1Program } from './memo-programs.ts';
import { systemProgram } from './system-program.ts';
import { token2022Program, tokenProgram } from './token/token-programs.ts';

/** Nodes read these instructions before a transaction executes; executing them does nothing. */
const computeBudgetProgram: Program = {
  isBuiltin: true,
  computeUnits: () => 150,
  run: () => undefined,
};

/** Programs of every Solana cluster. */
export const standardPrograms: readonly (readonly [Address, Program])[] = [
  [SYSTEM_PROGRAM, systemProgram],
  [COMPUTE_BUDGET_PROGRAM, computeBudgetProgram],
  [TOKEN_PROGRAM, tokenProgram],
  [TOKEN_2022_PROGRAM, token2022Program],
  [ASSOCIATED_TOKEN_PROGRAM, associatedTokenProgram],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, lookupTableProgram],
  [MEMO_PROGRAM, memoProgram],
  [MEMO_V1_PROGRAM, memoV1Program],
];

import type { Instruction } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { TransactionError } from '../transaction-errors.ts';

export type TransactionBudget = {
  readonly unitLimit: number;
  /** Undefined where the transaction does not say. */
  readonly askedLimit: bigint | undefined;
  /** Millionths of a lamport for each unit. */
  readonly unitPrice: bigint | undefined;
};

const MAX_UNITS = 1_400_000;
const UNITS_OF_A_PROGRAM = 200_000;
/** Of a program that is built into nodes. */
const UNITS_OF_A_BUILTIN = 3_000;
const BUILTINS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM];

const HEAP_FRAME = 1;
const UNIT_LIMIT = 2;
const UNIT_PRICE = 3;
const LOADED_BYTES = 4;
/** First byte and number of each, by what follows. */
const SIZES: Readonly<Record<number, number>> = {
  [HEAP_FRAME]: 5,
  [UNIT_LIMIT]: 5,
  [UNIT_PRICE]: 9,
  [LOADED_BYTES]: 5,
};

/** What a transaction asks for, or why a node does not take it. */
export function readTransactionBudget(
  instructions: readonly Instruction[],
): TransactionBudget | TransactionError {
  const asked = new Map<number, bigint>();
  for (const [index, { programAddress, data }] of instructions.entries()) {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM) continue;
    const [kind = 0] = data;
    if (data.length !== SIZES[kind]) return { InstructionError: [index, 'InvalidInstructionData'] };
    if (asked.has(kind)) return { DuplicateInstruction: index };
    asked.set(kind, readAmount(data));
  }
  const askedLimit = asked.get(UNIT_LIMIT);
  const limit = askedLimit === undefined ? usualLimit(instructions) : Number(askedLimit);
  return {
    unitLimit: Math.min(limit, MAX_UNITS),
    askedLimit,
    unitPrice: asked.get(UNIT_PRICE),
  };
}

function readAmount(data: Uint8Array): bigint {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return data.length === SIZES[UNIT_PRICE]
    ? view.getBigUint64(1, true)
    : BigInt(view.getUint32(1, true));
}

const usualLimit = (instructions: readonly Instruction[]): number =>
  instructions.reduce(
    (sum, { programAddress }) =>
      sum + (BUILTINS.includes(programAddress) ? UNITS_OF_A_BUILTIN : UNITS_OF_A_PROGRAM),
    0,
  );

import type { Instruction } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { TransactionError } from '../transaction-errors.ts';

export type TransactionBudget = {
  readonly unitLimit: number;
  /** Undefined if the transaction sets no limit. */
  readonly requestedLimit: bigint | undefined;
  /** In micro-lamports per unit. */
  readonly unitPrice: bigint | undefined;
};

const MAX_UNITS = 1_400_000;
const UNITS_PER_PROGRAM = 200_000;
const UNITS_PER_BUILTIN = 3_000;
const BUILTINS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM];

const HEAP_FRAME = 1;
const UNIT_LIMIT = 2;
const UNIT_PRICE = 3;
const LOADED_BYTES = 4;
/** Data size by instruction tag. */
const SIZES: Readonly<Record<number, number>> = {
  [HEAP_FRAME]: 5,
  [UNIT_LIMIT]: 5,
  [UNIT_PRICE]: 9,
  [LOADED_BYTES]: 5,
};

/** The budget that a transaction requests, or the error that a node rejects it with. */
export function readTransactionBudget(
  instructions: readonly Instruction[],
): TransactionBudget | TransactionError {
  const requested = new Map<number, bigint>();
  for (const [index, { programAddress, data }] of instructions.entries()) {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM) continue;
    const [tag = 0] = data;
    if (data.length !== SIZES[tag]) return { InstructionError: [index, 'InvalidInstructionData'] };
    if (requested.has(tag)) return { DuplicateInstruction: index };
    requested.set(tag, readAmount(data));
  }
  const requestedLimit = requested.get(UNIT_LIMIT);
  const limit = requestedLimit === undefined ? defaultLimit(instructions) : Number(requestedLimit);
  return {
    unitLimit: Math.min(limit, MAX_UNITS),
    requestedLimit,
    unitPrice: requested.get(UNIT_PRICE),
  };
}

function readAmount(data: Uint8Array): bigint {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return data.length === SIZES[UNIT_PRICE]
    ? view.getBigUint64(1, true)
    : BigInt(view.getUint32(1, true));
}

const defaultLimit = (instructions: readonly Instruction[]): number =>
  instructions.reduce(
    (sum, { programAddress }) =>
      sum + (BUILTINS.includes(programAddress) ? UNITS_PER_BUILTIN : UNITS_PER_PROGRAM),
    0,
  );

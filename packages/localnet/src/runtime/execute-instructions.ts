import type { ChainTime, Instruction } from '@tidegate/core/base';
import { CallFrame, type InnerInstruction } from './call-frame.ts';
import { ComputeMeter } from './compute-meter.ts';
import { LogCollector } from './log-collector.ts';
import type { ProgramRegistry } from './program.ts';
import type { TransactionAccounts } from './transaction-accounts.ts';
import { ProgramFailure, type TransactionError } from './transaction-errors.ts';

export type ExecuteOptions = {
  readonly programs: ProgramRegistry;
  /** Modified during execution; discard them after a failure. */
  readonly accounts: TransactionAccounts;
  readonly time: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly unitLimit: number;
};

export type ExecutionResult = {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  /** By instruction index; only instructions that made calls. */
  readonly inner: ReadonlyMap<number, readonly InnerInstruction[]>;
  readonly units: number;
};

/** Executes instructions in order, up to the first failure. */
export function executeInstructions({ unitLimit, ...options }: ExecuteOptions): ExecutionResult {
  const log = new LogCollector();
  const meter = new ComputeMeter(unitLimit);
  const transaction = { ...options, log, meter };
  const inner = new Map<number, readonly InnerInstruction[]>();
  const toResult = (error?: TransactionError): ExecutionResult => ({
    error,
    logs: log.lines,
    inner,
    units: unitLimit - meter.left,
  });
  for (const [index, instruction] of options.instructions.entries()) {
    const calls: InnerInstruction[] = [];
    const position = { index, stack: [instruction.programAddress], inner: calls };
    try {
      new CallFrame(transaction, position, instruction).execute();
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      return toResult({ InstructionError: [index, error.error] });
    } finally {
      if (calls.length > 0) inner.set(index, calls);
    }
  }
  return toResult();
}

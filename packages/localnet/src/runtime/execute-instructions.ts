import type { ChainTime, Instruction } from '@tidegate/core/base';
import { CallFrame, type InnerInstruction } from './call-frame.ts';
import { ComputeMeter } from './compute-meter.ts';
import { LogCollector } from './log-collector.ts';
import type { ProgramRegistry } from './program.ts';
import type { TransactionAccounts } from './transaction-accounts.ts';
import { ProgramFailure, type TransactionError } from './transaction-errors.ts';

export type ExecuteOptions = {
  readonly programs: ProgramRegistry;
  /** Changed while it runs; whoever fails is to drop them. */
  readonly accounts: TransactionAccounts;
  readonly time: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly unitLimit: number;
};

export type ExecutionResult = {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  /** By instruction of the transaction; those that called nobody have none. */
  readonly inner: ReadonlyMap<number, readonly InnerInstruction[]>;
  readonly units: number;
};

/** One instruction after the other, up to the first that fails. */
export function executeInstructions({ unitLimit, ...facts }: ExecuteOptions): ExecutionResult {
  const log = new LogCollector();
  const meter = new ComputeMeter(unitLimit);
  const run = { ...facts, log, meter };
  const inner = new Map<number, readonly InnerInstruction[]>();
  const end = (error?: TransactionError): ExecutionResult => ({
    ...{ error, logs: log.lines, inner, units: unitLimit - meter.left },
  });
  for (const [index, instruction] of facts.instructions.entries()) {
    const calls: InnerInstruction[] = [];
    const place = { index, stack: [instruction.programAddress], inner: calls };
    try {
      new CallFrame(run, place, instruction).execute();
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      return end({ InstructionError: [index, error.error] });
    } finally {
      if (calls.length > 0) inner.set(index, calls);
    }
  }
  return end();
}

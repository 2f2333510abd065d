import type { ChainTime, Instruction } from '@tidegate/core/base';
import { Frame, type InnerCall } from './call-frame.ts';
import { ComputeMeter } from './compute-meter.ts';
import { RunLog } from './log-collector.ts';
import type { Programs } from './program.ts';
import type { LiveAccounts } from './transaction-accounts.ts';
import { ProgramFailure, type TransactionError } from './transaction-errors.ts';

export type ToRun = {
  readonly programs: Programs;
  /** Changed while it runs; whoever fails is to drop them. */
  readonly accounts: LiveAccounts;
  readonly time: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly unitLimit: number;
};

export type Ran = {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  /** By instruction of the transaction; those that called nobody have none. */
  readonly inner: ReadonlyMap<number, readonly InnerCall[]>;
  readonly units: number;
};

/** One instruction after the other, up to the first that fails. */
export function runInstructions({ unitLimit, ...facts }: ToRun): Ran {
  const log = new RunLog();
  const meter = new ComputeMeter(unitLimit);
  const run = { ...facts, log, meter };
  const inner = new Map<number, readonly InnerCall[]>();
  const end = (error?: TransactionError): Ran => ({
    ...{ error, logs: log.lines, inner, units: unitLimit - meter.left },
  });
  for (const [index, instruction] of facts.instructions.entries()) {
    const calls: InnerCall[] = [];
    const place = { index, stack: [instruction.programAddress], inner: calls };
    try {
      new Frame(run, place, instruction).execute();
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      return end({ InstructionError: [index, error.error] });
    } finally {
      if (calls.length > 0) inner.set(index, calls);
    }
  }
  return end();
}

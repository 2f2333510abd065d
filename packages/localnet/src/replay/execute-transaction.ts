import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { type Call, descendantsOf } from '@tidegate/core/protocol/spl/transaction';
import { executeInstructions } from '../runtime/execute-instructions.ts';
import type { ProgramRegistry } from '../runtime/program.ts';
import type { TransactionError } from '../runtime/transaction-errors.ts';
import { CallRecorder } from './call-recorder.ts';
import { NotReplayable } from './not-replayable.ts';
import { type ReadableTransaction, UNKNOWN_INSTRUCTION } from './readable-transaction.ts';
import { RecordedCalls, replayedInstructions } from './recorded-calls.ts';
import { ReplayedAccounts } from './replayed-accounts.ts';
import type { NotProvableReason } from './slot-proof.ts';
import type { SlotState } from './slot-state.ts';

export type ReplayRun = {
  readonly kind: 'run';
  readonly error: TransactionError | undefined;
  /** The innermost program that failed. */
  readonly failedProgram: Address | undefined;
  /** Of a transaction that does not fail. */
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
  /** Names of the instructions that wrote an account. */
  readonly writes: ReadonlyMap<Address, ReadonlySet<string>>;
  /** What had to be assumed: a difference may come from it. */
  readonly assumed: readonly string[];
  readonly assumedMints: readonly string[];
  account(address: Address): ClusterAccount | undefined;
};

export type TransactionRun =
  | ReplayRun
  | {
      readonly kind: 'notReplayable';
      readonly reason: NotProvableReason;
      readonly detail: string;
    };

export type ReplayContext = {
  /** Models of the programs, of the rules of the slot. */
  readonly programs: ProgramRegistry;
  readonly time: ChainTime;
};

/** Executes a transaction on the accounts of the slot, without changing them. */
export function executeTransaction(
  readable: ReadableTransaction,
  state: SlotState,
  context: ReplayContext,
): TransactionRun {
  try {
    checkReplayable(readable, context.programs);
    return execute(readable, state, context);
  } catch (error) {
    if (error instanceof NotReplayable) {
      return { kind: 'notReplayable', reason: error.reason, detail: error.message };
    }
    // the model refuses what it has no rule for with other errors than the programs
    return { kind: 'notReplayable', reason: 'unmodelled', detail: `${error}` };
  }
}

/** Compute units are estimates, and not what is compared. */
const UNIT_LIMIT = 2 ** 48;

function execute(
  readable: ReadableTransaction,
  state: SlotState,
  { programs, time }: ReplayContext,
): ReplayRun {
  const recorder = new CallRecorder();
  const accounts = new ReplayedAccounts(readable, state, recorder);
  payFee(accounts, readable);
  const { error } = executeInstructions({
    programs: recordedPrograms(readable, programs, recorder),
    accounts,
    time,
    instructions: replayedInstructions(readable, (address) => programs.has(address)),
    unitLimit: UNIT_LIMIT,
  });
  return {
    kind: 'run',
    error,
    failedProgram: recorder.failedProgram,
    changes: error === undefined ? accounts.changes() : new Map(),
    writes: error === undefined ? recorder.writes : new Map(),
    assumed: [...recorder.assumed],
    assumedMints: [...recorder.assumedMints],
    account: (address) => accounts.get(address),
  };
}

function payFee(accounts: ReplayedAccounts, { transaction }: ReadableTransaction): void {
  const [payer] = transaction.accounts;
  if (payer === undefined) return;
  const account = accounts.get(payer.address);
  accounts.set(payer.address, { ...account, lamports: account.lamports - transaction.fee });
}

function recordedPrograms(
  readable: ReadableTransaction,
  models: ProgramRegistry,
  recorder: CallRecorder,
): ProgramRegistry {
  const recordedCalls = new RecordedCalls(readable);
  const programs = new Map(
    Array.from(
      models,
      ([address, program]) => [address, recorder.record(address, program)] as const,
    ),
  );
  for (const { program } of allCalls(readable)) {
    if (!programs.has(program))
      programs.set(program, recorder.record(program, recordedCalls.program));
  }
  return programs;
}

function checkReplayable(readable: ReadableTransaction, models: ProgramRegistry): void {
  const unknown = readable.calls.find(({ instruction }) => instruction === UNKNOWN_INSTRUCTION);
  if (unknown !== undefined) {
    throw new NotReplayable('unknownInstruction', `an instruction of ${unknown.program}`);
  }
  const { transaction, hasStackHeights } = readable;
  const foreign = transaction.calls.find(
    ({ program }) => !models.has(program) && !SILENT.includes(program),
  );
  if (foreign === undefined) return;
  if (!transaction.hasInnerCalls || (!hasStackHeights && foreign.children.length > 1)) {
    throw new NotReplayable('innerCallsMissing', `the calls of ${foreign.program}`);
  }
}

/** The oracle calls nobody whose accounts are compared. */
const SILENT: readonly Address[] = SCOPE_PROGRAMS;

const allCalls = ({ transaction }: ReadableTransaction): readonly Call[] =>
  transaction.calls.flatMap((call) => [call, ...descendantsOf(call)]);

import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { NEWEST_RULES, type ProgramRules } from '#core/protocol/releases/program-rules.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { InvokeContext, Program, ProgramRegistry } from '#localnet/runtime/program.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';

/** What a cluster executes: rules, and programs that do something else than our models. */
export type ExecutedPrograms = {
  readonly rules: ProgramRules;
  readonly programs: ProgramRegistry;
};

/** The programs of a release that only these rules describe. */
export const programsWithRules = (rules: ProgramRules): ExecutedPrograms => ({
  rules,
  programs: modelPrograms(rules),
});

export const NEWEST_PROGRAMS = programsWithRules(NEWEST_RULES);

/** The newest programs, one of them changed. */
export function changedProgram(
  address: Address,
  change: (program: Program) => Program,
): ExecutedPrograms {
  const { rules, programs } = NEWEST_PROGRAMS;
  const changed = [...programs].map(
    ([each, program]) => [each, each === address ? change(program) : program] as const,
  );
  return { rules, programs: new Map(changed) };
}

/** Executes what it was given last, as a cluster does whose programs are upgraded. */
export class ReplaceableExecutor implements Executor {
  #executor = createExecutor(NEWEST_PROGRAMS);

  replace(programs: ExecutedPrograms): void {
    this.#executor = createExecutor(programs);
  }

  readonly rulesAt: Executor['rulesAt'] = (slot) => this.#executor.rulesAt(slot);

  readonly hasProgram: Executor['hasProgram'] = (address) => this.#executor.hasProgram(address);

  readonly execute: Executor['execute'] = (transaction, context) =>
    this.#executor.execute(transaction, context);
}

const createExecutor = ({ rules, programs }: ExecutedPrograms): Executor =>
  createModelExecutor(programs, rules);

type Instructions = readonly { readonly discriminator: Uint8Array }[];

type OtherField = {
  readonly account: { matches(account: RawAccount): boolean };
  readonly offset: number;
  readonly size: number;
  /** Writes other bytes at the offset of a copy of the account. */
  readonly write: (account: DataView, offset: number) => void;
  /** By default all. */
  readonly instructions?: Instructions;
};

/** Computes as if a field of an account had another value. The account keeps the value that it has. */
export const readingOther =
  ({ account: codec, offset, size, write, instructions }: OtherField) =>
  (program: Program): Program => ({
    ...program,
    run(call) {
      const isChanged = instructions === undefined || isOneOf(instructions, call.data);
      if (!isChanged) return program.run(call);
      program.run({
        ...delegate(call),
        account(address) {
          const account = call.account(address);
          if (!codec.matches(account)) return account;
          const data = account.data.slice();
          write(new DataView(data.buffer), offset);
          return { ...account, data };
        },
        updateAccount(address, changes) {
          const before = call.account(address);
          if (changes.data === undefined || !codec.matches(before)) {
            return call.updateAccount(address, changes);
          }
          const data = changes.data.slice();
          data.set(before.data.subarray(offset, offset + size), offset);
          call.updateAccount(address, { ...changes, data });
        },
      });
    },
  });

/** Writes other bytes than it computes. */
export const writingOther =
  ({ account: codec, offset, write }: Pick<OtherField, 'account' | 'offset' | 'write'>) =>
  (program: Program): Program => ({
    ...program,
    run: (call) =>
      program.run({
        ...delegate(call),
        updateAccount(address, changes) {
          if (changes.data === undefined || !codec.matches(call.account(address))) {
            return call.updateAccount(address, changes);
          }
          const data = changes.data.slice();
          write(new DataView(data.buffer), offset);
          call.updateAccount(address, { ...changes, data });
        },
      }),
  });

/** Checks something before everything else. */
export const checkingFirst =
  (instructions: Instructions, check: (call: InvokeContext) => void) =>
  (program: Program): Program => ({
    ...program,
    run(call) {
      if (isOneOf(instructions, call.data)) check(call);
      program.run(call);
    },
  });

const isOneOf = (instructions: Instructions, data: Uint8Array): boolean =>
  instructions.some(({ discriminator }) => bytesEqual(discriminator, data.subarray(0, 8)));

/** The members are on a prototype, so a spread would lose them. */
const delegate = (call: InvokeContext): InvokeContext => ({
  program: call.program,
  metas: call.metas,
  data: call.data,
  time: call.time,
  stackHeight: call.stackHeight,
  instructions: call.instructions,
  index: call.index,
  account: (address) => call.account(address),
  isSigner: (address) => call.isSigner(address),
  isWritable: (address) => call.isWritable(address),
  updateAccount: (address, changes) => call.updateAccount(address, changes),
  invoke: (instruction, authorities) => call.invoke(instruction, authorities),
  setReturnData: (bytes) => call.setReturnData(bytes),
  log: (text) => call.log(text),
  logRaw: (line) => call.logRaw(line),
  logData: (bytes) => call.logData(bytes),
  consumeUnits: (units) => call.consumeUnits(units),
});

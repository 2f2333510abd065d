import type { Address } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext, Program } from '../runtime/program.ts';
import { findProtocolProgram } from './protocol-accounts.ts';

/** First bytes of the instructions that the model of the system program has. */
const SYSTEM_TAGS = [0, 1, 2, 8];

/** Records which calls read, wrote and failed during a replayed transaction. */
export class CallRecorder {
  readonly #stack: { readonly program: Address; readonly data: Uint8Array }[] = [];
  /** Names of the instructions that wrote an account, in order. */
  readonly writes = new Map<Address, Set<string>>();
  /** What the replay assumes: accounts that the transaction does not describe. */
  readonly assumed = new Set<string>();
  /** Mints whose extensions the transaction does not describe. They matter only for what moves tokens. */
  readonly assumedMints = new Set<string>();
  /** The innermost program that failed. */
  failedProgram: Address | undefined;

  /** The program that runs. */
  get program(): Address | undefined {
    return this.#stack.at(-1)?.program;
  }

  wrote(address: Address): void {
    const call = this.#stack.at(-1);
    const name = call && findProtocolProgram(call.program)?.nameOf(call.data);
    if (name === undefined) return;
    const names = this.writes.get(address) ?? new Set();
    this.writes.set(address, names.add(name));
  }

  record(address: Address, program: Program): Program {
    return { ...program, run: (call) => this.#run(address, program, call) };
  }

  #run(address: Address, program: Program, call: InvokeContext): void {
    if (address === SYSTEM_PROGRAM && !SYSTEM_TAGS.includes(call.data[0] ?? 0)) {
      this.assumed.add('an instruction of the system program');
      return;
    }
    this.#stack.push({ program: address, data: call.data });
    try {
      program.run(call);
    } catch (error) {
      this.failedProgram ??= address;
      throw error;
    } finally {
      this.#stack.pop();
    }
  }
}

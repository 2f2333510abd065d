import {
  type AccountMeta,
  type Address,
  type ChainTime,
  type ClusterAccount,
  encodeBase64,
  type Instruction,
  READ,
  type Role,
  SIGN,
  WRITE,
} from '@tidegate/core/base';
import type { ComputeMeter } from './compute-meter.ts';
import type { LogCollector } from './log-collector.ts';
import type { InvokeContext, ProgramRegistry } from './program.ts';
import type { TransactionAccounts } from './transaction-accounts.ts';
import { ProgramFailure } from './transaction-errors.ts';

/** The transaction itself is 1, so that programs call four deep. */
const MAX_STACK_HEIGHT = 5;

/** An instruction that a program called. */
export type InnerInstruction = { readonly instruction: Instruction; readonly stackHeight: number };

/** What all calls of one transaction share. */
export type TransactionContext = {
  readonly programs: ProgramRegistry;
  readonly accounts: TransactionAccounts;
  readonly time: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly log: LogCollector;
  readonly meter: ComputeMeter;
};

type Place = {
  /** Of the transaction's instructions. */
  readonly index: number;
  /** Programs from the transaction down to this call. */
  readonly stack: readonly Address[];
  /** Calls of programs under this instruction of the transaction, in the order they were made. */
  readonly inner: InnerInstruction[];
};

/** One call of one program, from `invoke` to `success` or `failed` in the log. */
export class CallFrame implements InvokeContext {
  readonly program: Address;
  readonly metas: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly #run: TransactionContext;
  readonly #place: Place;
  readonly #roles: ReadonlyMap<Address, Role>;
  /** Lamports that this call has made or lost so far. */
  #surplus = 0n;
  #answer: Uint8Array | undefined;

  constructor(
    run: TransactionContext,
    place: Place,
    { programAddress, accounts, data }: Instruction,
  ) {
    this.#run = run;
    this.#place = place;
    this.program = programAddress;
    this.metas = accounts;
    this.data = data;
    this.#roles = rolesOf(accounts);
  }

  get time(): ChainTime {
    return this.#run.time;
  }

  get stackHeight(): number {
    return this.#place.stack.length;
  }

  get instructions(): readonly Instruction[] {
    return this.#run.instructions;
  }

  get index(): number {
    return this.#place.index;
  }

  execute(): void {
    const { log, meter, programs } = this.#run;
    const name = `Program ${this.program}`;
    const program = programs.get(this.program);
    log.add(`${name} invoke [${this.stackHeight}]`);
    const before = meter.left;
    const consumed = () =>
      log.add(`${name} consumed ${before - meter.left} of ${before} compute units`);
    try {
      if (program === undefined) throw new ProgramFailure('UnsupportedProgramId');
      meter.consume(program.unitsOf(this.data));
      program.run(this);
      if (this.#surplus !== 0n) throw new ProgramFailure('UnbalancedInstruction');
      if (program.isBuiltin !== true) consumed();
      if (this.#answer !== undefined) {
        log.add(`Program return: ${this.program} ${encodeBase64(this.#answer)}`);
      }
      log.add(`${name} success`);
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      if (program !== undefined && program.isBuiltin !== true) consumed();
      log.add(`${name} failed: ${error.message}`);
      throw error;
    }
  }

  account(address: Address): ClusterAccount {
    return this.#run.accounts.get(address);
  }

  isSigner(address: Address): boolean {
    return (this.#roleOf(address) & SIGN) !== 0;
  }

  isWritable(address: Address): boolean {
    return (this.#roleOf(address) & WRITE) !== 0;
  }

  change(address: Address, changes: Partial<ClusterAccount>): void {
    const before = this.account(address);
    const after = { ...before, ...changes };
    const isRewritten = after.data !== before.data || after.owner !== before.owner;
    if (!this.isWritable(address)) {
      throw new ProgramFailure(isRewritten ? 'ReadonlyDataModified' : 'ReadonlyLamportChange');
    }
    if (before.owner !== this.program) {
      if (after.owner !== before.owner) throw new ProgramFailure('ModifiedProgramId');
      if (after.data !== before.data) throw new ProgramFailure('ExternalAccountDataModified');
      if (after.lamports < before.lamports) throw new ProgramFailure('ExternalAccountLamportSpend');
    }
    this.#surplus += after.lamports - before.lamports;
    this.#run.accounts.set(address, after);
  }

  invoke(instruction: Instruction, authorities: readonly Address[] = []): Uint8Array | undefined {
    const { programAddress, accounts } = instruction;
    const { stack, index, inner } = this.#place;
    if (stack.length === MAX_STACK_HEIGHT) throw new ProgramFailure('CallDepth');
    if (stack.includes(programAddress) && this.program !== programAddress)
      throw new ProgramFailure('ReentrancyNotAllowed');
    this.#requireNamed(programAddress);
    for (const { address, role } of accounts) this.#requireGranted(address, role, authorities);
    const place = { index, inner, stack: [...stack, programAddress] };
    inner.push({ instruction, stackHeight: place.stack.length });
    const called = new CallFrame(this.#run, place, instruction);
    called.execute();
    return called.#answer;
  }

  answer(bytes: Uint8Array): void {
    this.#answer = bytes;
  }

  log(text: string): void {
    this.#run.log.add(`Program log: ${text}`);
  }

  note(line: string): void {
    this.#run.log.add(line);
  }

  logData(bytes: Uint8Array): void {
    this.#run.log.add(`Program data: ${encodeBase64(bytes)}`);
  }

  consume(units: number): void {
    this.#run.meter.consume(units);
  }

  #roleOf(address: Address): Role {
    return this.#roles.get(address) ?? READ;
  }

  #requireNamed(address: Address): void {
    if (this.#roles.has(address)) return;
    this.#run.log.add(`Instruction references an unknown account ${address}`);
    throw new ProgramFailure('MissingAccount');
  }

  /** Nobody may do more with an account than those who called it, but sign for what is derived from them. */
  #requireGranted(address: Address, role: Role, authorities: readonly Address[]): void {
    this.#requireNamed(address);
    const isWritten = (role & WRITE) !== 0 && !this.isWritable(address);
    const isSigned =
      (role & SIGN) !== 0 && !this.isSigner(address) && !authorities.includes(address);
    if (!isWritten && !isSigned) return;
    this.#run.log.add(`${address}'s ${isWritten ? 'writable' : 'signer'} privilege escalated`);
    throw new ProgramFailure('PrivilegeEscalation');
  }
}

/** An account that is named twice has what either place grants. */
function rolesOf(metas: readonly AccountMeta[]): Map<Address, Role> {
  const roles = new Map<Address, Role>();
  for (const { address, role } of metas) {
    roles.set(address, ((roles.get(address) ?? READ) | role) as Role);
  }
  return roles;
}

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

/** The transaction itself is 1, so programs can nest four calls. */
const MAX_STACK_HEIGHT = 5;

/** An instruction called by a program. */
export type InnerInstruction = { readonly instruction: Instruction; readonly stackHeight: number };

/** Shared by all calls of a transaction. */
export type TransactionContext = {
  readonly programs: ProgramRegistry;
  readonly accounts: TransactionAccounts;
  readonly time: ChainTime;
  readonly instructions: readonly Instruction[];
  readonly log: LogCollector;
  readonly meter: ComputeMeter;
};

type CallPosition = {
  /** Index of the transaction's instruction. */
  readonly index: number;
  /** Programs from the transaction down to this call. */
  readonly stack: readonly Address[];
  /** All calls under this instruction, in call order. */
  readonly inner: InnerInstruction[];
};

/** One program call, from `invoke` to `success` or `failed` in the log. */
export class CallFrame implements InvokeContext {
  readonly program: Address;
  readonly metas: readonly AccountMeta[];
  readonly data: Uint8Array;
  readonly #transaction: TransactionContext;
  readonly #position: CallPosition;
  readonly #roles: ReadonlyMap<Address, Role>;
  /** Net lamports that this call has added or removed. */
  #surplus = 0n;
  #returnData: Uint8Array | undefined;

  constructor(
    transaction: TransactionContext,
    position: CallPosition,
    { programAddress, accounts, data }: Instruction,
  ) {
    this.#transaction = transaction;
    this.#position = position;
    this.program = programAddress;
    this.metas = accounts;
    this.data = data;
    this.#roles = rolesOf(accounts);
  }

  get time(): ChainTime {
    return this.#transaction.time;
  }

  get stackHeight(): number {
    return this.#position.stack.length;
  }

  get instructions(): readonly Instruction[] {
    return this.#transaction.instructions;
  }

  get index(): number {
    return this.#position.index;
  }

  execute(): void {
    const { log, meter, programs } = this.#transaction;
    const name = `Program ${this.program}`;
    const program = programs.get(this.program);
    log.add(`${name} invoke [${this.stackHeight}]`);
    const before = meter.left;
    const consumed = () =>
      log.add(`${name} consumed ${before - meter.left} of ${before} compute units`);
    try {
      if (program === undefined) throw new ProgramFailure('UnsupportedProgramId');
      meter.consume(program.computeUnits(this.data));
      program.run(this);
      if (this.#surplus !== 0n) throw new ProgramFailure('UnbalancedInstruction');
      if (program.isBuiltin !== true) consumed();
      if (this.#returnData !== undefined) {
        log.add(`Program return: ${this.program} ${encodeBase64(this.#returnData)}`);
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
    return this.#transaction.accounts.get(address);
  }

  isSigner(address: Address): boolean {
    return (this.#roleOf(address) & SIGN) !== 0;
  }

  isWritable(address: Address): boolean {
    return (this.#roleOf(address) & WRITE) !== 0;
  }

  updateAccount(address: Address, changes: Partial<ClusterAccount>): void {
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
    this.#transaction.accounts.set(address, after);
  }

  invoke(instruction: Instruction, authorities: readonly Address[] = []): Uint8Array | undefined {
    const { programAddress, accounts } = instruction;
    const { stack, index, inner } = this.#position;
    if (stack.length === MAX_STACK_HEIGHT) throw new ProgramFailure('CallDepth');
    if (stack.includes(programAddress) && this.program !== programAddress)
      throw new ProgramFailure('ReentrancyNotAllowed');
    this.#requireListed(programAddress);
    for (const { address, role } of accounts) this.#requirePrivileges(address, role, authorities);
    const position = { index, inner, stack: [...stack, programAddress] };
    inner.push({ instruction, stackHeight: position.stack.length });
    const callee = new CallFrame(this.#transaction, position, instruction);
    callee.execute();
    return callee.#returnData;
  }

  setReturnData(bytes: Uint8Array): void {
    this.#returnData = bytes;
  }

  log(text: string): void {
    this.#transaction.log.add(`Program log: ${text}`);
  }

  logRaw(line: string): void {
    this.#transaction.log.add(line);
  }

  logData(bytes: Uint8Array): void {
    this.#transaction.log.add(`Program data: ${encodeBase64(bytes)}`);
  }

  consumeUnits(units: number): void {
    this.#transaction.meter.consume(units);
  }

  #roleOf(address: Address): Role {
    return this.#roles.get(address) ?? READ;
  }

  #requireListed(address: Address): void {
    if (this.#roles.has(address)) return;
    this.#transaction.log.add(`Instruction references an unknown account ${address}`);
    throw new ProgramFailure('MissingAccount');
  }

  /** A callee gets at most the caller's privileges, plus signatures for derived addresses. */
  #requirePrivileges(address: Address, role: Role, authorities: readonly Address[]): void {
    this.#requireListed(address);
    const isWriteEscalated = (role & WRITE) !== 0 && !this.isWritable(address);
    const isSignEscalated =
      (role & SIGN) !== 0 && !this.isSigner(address) && !authorities.includes(address);
    if (!isWriteEscalated && !isSignEscalated) return;
    this.#transaction.log.add(
      `${address}'s ${isWriteEscalated ? 'writable' : 'signer'} privilege escalated`,
    );
    throw new ProgramFailure('PrivilegeEscalation');
  }
}

/** An account that is listed twice has the privileges of both entries. */
function rolesOf(metas: readonly AccountMeta[]): Map<Address, Role> {
  const roles = new Map<Address, Role>();
  for (const { address, role } of metas) {
    roles.set(address, ((roles.get(address) ?? READ) | role) as Role);
  }
  return roles;
}

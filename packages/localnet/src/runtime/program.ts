import type {
  AccountMeta,
  Address,
  ChainTime,
  ClusterAccount,
  Instruction,
} from '@tidegate/core/base';

/** A program's view of one call, and all operations it can perform. */
export type InvokeContext = {
  readonly program: Address;
  /** In instruction order, with the roles granted to this call. */
  readonly metas: readonly AccountMeta[];
  readonly data: Uint8Array;
  /** Time of the open slot. */
  readonly time: ChainTime;
  /** 1 for the instructions of the transaction itself. */
  readonly stackHeight: number;
  /** All instructions of the transaction, and the index of the current one. */
  readonly instructions: readonly Instruction[];
  readonly index: number;

  /**
   * A missing account is an empty account of the system program. Its data must not be modified in
   * place.
   */
  account(address: Address): ClusterAccount;
  isSigner(address: Address): boolean;
  isWritable(address: Address): boolean;
  /**
   * Fails as the runtime does: read-only accounts, or data and lamports of other programs. Zero
   * lamports deletes the account.
   */
  updateAccount(address: Address, changes: Partial<ClusterAccount>): void;
  /**
   * Calls a program. `authorities` are addresses derived from this program that it signs for.
   * Returns the callee's return data, if any.
   */
  invoke(instruction: Instruction, authorities?: readonly Address[]): Uint8Array | undefined;
  /** Sets the return data and logs `Program return: `. */
  setReturnData(bytes: Uint8Array): void;
  /** Logs a line after `Program log: `. */
  log(text: string): void;
  /** Logs an unprefixed line, as builtins do. */
  logRaw(line: string): void;
  /** Logs data after `Program data: `. */
  logData(bytes: Uint8Array): void;
  /** Consumes compute units beyond the instruction's base cost. */
  consumeUnits(units: number): void;
};

/** A program of the cluster. It fails by throwing `ProgramFailure`. */
export type Program = {
  /** Builtins log no compute units. */
  readonly isBuiltin?: boolean;
  /** Base cost of the instruction in compute units, without its calls. */
  computeUnits(data: Uint8Array): number;
  run(call: InvokeContext): void;
};

export type ProgramRegistry = ReadonlyMap<Address, Program>;

import type {
  AccountMeta,
  Address,
  ChainTime,
  ClusterAccount,
  Instruction,
} from '@tidegate/core/base';

/** What a program sees of one call, and all that it can do. */
export type InvokeContext = {
  readonly program: Address;
  /** In the order of the instruction; roles as they are granted to this call. */
  readonly metas: readonly AccountMeta[];
  readonly data: Uint8Array;
  /** Of the slot that is open. */
  readonly time: ChainTime;
  /** 1 for the instructions of the transaction itself. */
  readonly stackHeight: number;
  /** The instructions of the transaction, which programs may look at, and which of them runs. */
  readonly instructions: readonly Instruction[];
  readonly index: number;

  /** Where there is none: an empty one of the system program. Its bytes are never changed, only replaced. */
  account(address: Address): ClusterAccount;
  isSigner(address: Address): boolean;
  isWritable(address: Address): boolean;
  /** Refused where the cluster would: read-only, or another program's bytes or lamports. Without lamports it is gone. */
  change(address: Address, changes: Partial<ClusterAccount>): void;
  /**
   * Calls a program. `authorities`: addresses derived from this program, for which it signs. Returns the bytes that
   * the program answered, if any.
   */
  invoke(instruction: Instruction, authorities?: readonly Address[]): Uint8Array | undefined;
  /** Bytes for those who call, and a line `Program return: ` in the log. */
  answer(bytes: Uint8Array): void;
  /** A line behind `Program log: `. */
  log(text: string): void;
  /** A line as it is, as programs write it that are built into nodes. */
  note(line: string): void;
  /** Bytes behind `Program data: `. */
  logData(bytes: Uint8Array): void;
  /** More compute units than those of the instruction as such. */
  consume(units: number): void;
};

/** One program of the cluster. It fails by throwing `ProgramFailure`. */
export type Program = {
  /** Built into nodes: its log has no line about compute units. */
  readonly isBuiltin?: boolean;
  /** Compute units that the instruction takes, without those of programs that it calls. */
  unitsOf(data: Uint8Array): number;
  run(call: InvokeContext): void;
};

export type ProgramRegistry = ReadonlyMap<Address, Program>;

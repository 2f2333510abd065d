import type { Address } from '../base/encoding/address.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import { findKnownProgram } from '../views/transactions/known-programs.ts';

/** A human- and machine-readable description of a build. */
export type BuildSummary = {
  /** One sentence. */
  readonly summary: string;
  /** One for each instruction. */
  readonly steps: readonly SummaryStep[];
  readonly creates: readonly CreatedAccount[];
  readonly closes: readonly ClosedAccount[];
  /** Paid by the wallet for all created accounts. */
  readonly rentLamports: bigint;
  readonly pays: readonly TokenMove[];
  readonly receives: readonly TokenMove[];
  /** Additional hints. */
  readonly notes: readonly string[];
};

export type SummaryStep = {
  readonly program: Address;
  /** The program's name of the instruction. */
  readonly name: string;
  readonly why: string;
};

export type CreatedAccount = {
  readonly address: Address;
  readonly what: string;
  readonly rentLamports: bigint;
};

export type ClosedAccount = {
  readonly address: Address;
  readonly what: string;
  /** Returned to the wallet. */
  readonly refundLamports: bigint;
};

/**
 * Tokens that leave or reach the wallet, in smallest units. SOL is reported as its wrapped mint.
 */
export type TokenMove = {
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
  readonly certainty: 'exactly' | 'at most' | 'at least' | 'about';
};

/** An instruction with its explanation and effects. */
export type BuildStep = {
  readonly instruction: Instruction;
  readonly why: string;
  readonly creates?: CreatedAccount | undefined;
  readonly closes?: ClosedAccount | undefined;
  /** The caller gave the instruction. The guards of our own instructions do not apply to it. */
  readonly isGiven?: true;
};

export type BuildDescription = Pick<BuildSummary, 'summary' | 'pays' | 'receives' | 'notes'>;

export function summarizeBuild(
  steps: readonly BuildStep[],
  description: BuildDescription,
): BuildSummary {
  const creates = steps.flatMap((step) => step.creates ?? []);
  return {
    ...description,
    steps: steps.map(({ instruction, why }) => ({
      program: instruction.programAddress,
      name: nameOf(instruction),
      why,
    })),
    creates,
    closes: steps.flatMap((step) => step.closes ?? []),
    rentLamports: creates.reduce((sum, { rentLamports }) => sum + rentLamports, 0n),
  };
}

const nameOf = ({ programAddress, data }: Instruction): string =>
  findKnownProgram(programAddress)?.nameOf(data) ?? 'unknown';

import type { Address } from '../base/encoding/address.ts';
import type { Instruction } from '../base/solana/instruction.ts';
import { findKnownProgram } from '../views/transactions/known-programs.ts';

/** What a build does, for people and for programs that show it to people. */
export type Plan = {
  /** One sentence. */
  readonly summary: string;
  /** One for each instruction. */
  readonly steps: readonly PlanStep[];
  readonly creates: readonly CreatedAccount[];
  readonly closes: readonly ClosedAccount[];
  /** For all that is created, paid by the wallet. */
  readonly rentLamports: bigint;
  readonly pays: readonly TokenMove[];
  readonly receives: readonly TokenMove[];
  /** What a careful reader should know beside. */
  readonly notes: readonly string[];
};

export type PlanStep = {
  readonly program: Address;
  /** As the program calls it. */
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
  /** What comes back to the wallet. */
  readonly refundLamports: bigint;
};

/** Tokens that leave or reach the wallet, in smallest units. SOL counts as its wrapped mint. */
export type TokenMove = {
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
  readonly certainty: 'exactly' | 'at most' | 'at least' | 'about';
};

/** An instruction on its way into a build. */
export type BuildStep = {
  readonly instruction: Instruction;
  readonly why: string;
  readonly creates?: CreatedAccount | undefined;
  readonly closes?: ClosedAccount | undefined;
};

export type PlanDescription = Pick<Plan, 'summary' | 'pays' | 'receives' | 'notes'>;

export function createPlan(steps: readonly BuildStep[], told: PlanDescription): Plan {
  const creates = steps.flatMap((step) => step.creates ?? []);
  return {
    ...told,
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

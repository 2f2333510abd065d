/** What running a transaction costs, in lamports. */
export type TransactionFee = {
  /** For the signatures. */
  readonly base: bigint;
  /** At most, for being run before others. */
  readonly priority: bigint;
};

export type TransactionFeeInput = {
  readonly signatures: number;
  /** Without those that set the budget. */
  readonly instructions: number;
  /** As asked for; undefined where it is not. */
  readonly unitLimit: bigint | undefined;
  /** Millionths of a lamport for each unit. */
  readonly unitPrice: bigint | undefined;
};

const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO = 1_000_000n;
/** What is counted where no limit is asked for: so much for each instruction, and no more than this in all. */
const UNITS_PER_INSTRUCTION = 200_000n;
const MAX_UNITS = 1_400_000n;

export function transactionFee(terms: TransactionFeeInput): TransactionFee {
  const { signatures, instructions, unitPrice = 0n } = terms;
  const asked = terms.unitLimit ?? BigInt(instructions) * UNITS_PER_INSTRUCTION;
  const units = asked < MAX_UNITS ? asked : MAX_UNITS;
  return {
    base: BigInt(signatures) * LAMPORTS_PER_SIGNATURE,
    // rounded up
    priority: (unitPrice * units + MICRO - 1n) / MICRO,
  };
}

/** The fee of a transaction in lamports. */
export type TransactionFee = {
  /** The fee for signatures. */
  readonly base: bigint;
  /** The maximum priority fee. */
  readonly priority: bigint;
};

export type TransactionFeeInput = {
  readonly signatures: number;
  /** Without compute budget instructions. */
  readonly instructions: number;
  /** Undefined if the transaction sets none. */
  readonly unitLimit: bigint | undefined;
  /** In micro-lamports per compute unit. */
  readonly unitPrice: bigint | undefined;
};

const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO = 1_000_000n;
/** The default units per instruction, and the maximum of a transaction. */
const UNITS_PER_INSTRUCTION = 200_000n;
const MAX_UNITS = 1_400_000n;

export function transactionFee(terms: TransactionFeeInput): TransactionFee {
  const { signatures, instructions, unitPrice = 0n } = terms;
  const requested = terms.unitLimit ?? BigInt(instructions) * UNITS_PER_INSTRUCTION;
  const units = requested < MAX_UNITS ? requested : MAX_UNITS;
  return {
    base: BigInt(signatures) * LAMPORTS_PER_SIGNATURE,
    // rounded up
    priority: (unitPrice * units + MICRO - 1n) / MICRO,
  };
}

import type { Call } from '../instructions/decode-calls.ts';
import { toUnsigned } from './amounts.ts';
import type { Findings } from './findings.ts';

export type BudgetRequest = {
  readonly computeUnitLimit?: number;
  readonly computeUnitPrice?: number | string | bigint;
  readonly maxPriorityFeeLamports?: number | string | bigint;
  /** Instructions of the request, which are in the transaction besides the calls. */
  readonly givenInstructions?: number;
};

const MAX_COMPUTE_UNITS = 1_400_000n;
/** Units that the cluster reserves for an instruction if the transaction has no limit. */
const DEFAULT_UNITS = 200_000n;
const DEFAULT_MAX_FEE = 1_000_000n;

/** A requested limit or price must be there exactly. Without a requested price the fee has a limit. */
export function checkBudget(
  calls: readonly Call[],
  request: BudgetRequest,
  findings: Findings,
): void {
  const limit = calls.find(({ key }) => key === 'computeBudget setComputeUnitLimit');
  const price = calls.find(({ key }) => key === 'computeBudget setComputeUnitPrice');
  const units = limit?.args['units'];
  const microLamports = price?.args['microLamports'];
  expectRequested(
    { what: 'compute unit limit', found: units, call: limit },
    request.computeUnitLimit,
    findings,
  );
  expectRequested(
    { what: 'compute unit price', found: microLamports, call: price },
    request.computeUnitPrice,
    findings,
  );
  if (units !== undefined && (units === 0n || units > MAX_COMPUTE_UNITS)) {
    findings.add('WRONG_COMPUTE_BUDGET', `A limit of ${units} compute units is not valid.`, limit);
  }
  if (microLamports === undefined || request.computeUnitPrice !== undefined) return;
  const { givenInstructions = 0 } = request;
  const others =
    givenInstructions + calls.filter(({ spec }) => spec.program !== 'computeBudget').length;
  const reserved = units ?? min(DEFAULT_UNITS * BigInt(others), MAX_COMPUTE_UNITS);
  const fee = (reserved * microLamports + 999_999n) / 1_000_000n;
  const maxFee = toUnsigned(request.maxPriorityFeeLamports ?? DEFAULT_MAX_FEE) ?? 0n;
  if (fee > maxFee) {
    const message = `The priority fee is up to ${fee} lamports; the limit is ${maxFee}.`;
    findings.add('PRIORITY_FEE_TOO_HIGH', message, price);
  }
}

type Found = {
  readonly what: string;
  readonly found: bigint | undefined;
  readonly call: Call | undefined;
};

function expectRequested(
  { what, found, call }: Found,
  requested: number | string | bigint | undefined,
  findings: Findings,
): void {
  if (requested === undefined) return;
  const expected = toUnsigned(requested);
  if (expected === undefined) {
    findings.add('INVALID_REQUEST', `The ${what} ${requested} is not valid.`);
  } else if (found !== expected) {
    const message = `The ${what} is ${found ?? 'not set'} instead of ${expected}.`;
    findings.add('WRONG_COMPUTE_BUDGET', message, call);
  }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

import type { Call } from '../instructions/decode-calls.ts';
import { toUnsigned } from './amounts.ts';
import type { Findings } from './findings.ts';

type Requested = number | string | bigint | undefined;

export type BudgetRequest = {
  readonly computeUnitLimit?: Requested;
  readonly computeUnitPrice?: Requested;
  readonly maxPriorityFeeLamports?: Requested;
  /** Instructions of the request, which are in the transaction besides the calls. */
  readonly givenInstructions?: number;
};

const MAX_COMPUTE_UNITS = 1_400_000n;
/** Units that the cluster reserves for an instruction if the transaction has no limit. */
const DEFAULT_UNITS = 200_000n;
const DEFAULT_MAX_FEE = 1_000_000n;

const LIMIT = 'computeBudget setComputeUnitLimit';
const PRICE = 'computeBudget setComputeUnitPrice';

/** A requested limit or price must be there exactly, and once. Without a requested price the fee has a limit. */
export function checkBudget(
  calls: readonly Call[],
  request: BudgetRequest,
  findings: Findings,
): void {
  const { computeUnitLimit, computeUnitPrice } = request;
  const limits = calls.filter(({ key }) => key === LIMIT);
  const prices = calls.filter(({ key }) => key === PRICE);
  for (const repeated of [...limits.slice(1), ...prices.slice(1)]) {
    findings.add('REPEATED_INSTRUCTION', `${repeated.spec.name} occurs twice.`, repeated);
  }
  for (const call of orAbsent(limits)) {
    const units = call?.args['units'];
    expectRequested({ what: 'compute unit limit', found: units, call }, computeUnitLimit, findings);
    if (units === undefined || (units > 0n && units <= MAX_COMPUTE_UNITS)) continue;
    findings.add('WRONG_COMPUTE_BUDGET', `A limit of ${units} compute units is not valid.`, call);
  }
  for (const call of orAbsent(prices)) {
    const found = call?.args['microLamports'];
    expectRequested({ what: 'compute unit price', found, call }, computeUnitPrice, findings);
    if (call === undefined || computeUnitPrice !== undefined) continue;
    checkFee(call, { calls, limits, request, findings });
  }
}

/** An absent instruction is checked as well. */
const orAbsent = (calls: readonly Call[]): readonly (Call | undefined)[] =>
  calls.length === 0 ? [undefined] : calls;

type FeeInput = {
  readonly calls: readonly Call[];
  readonly limits: readonly Call[];
  readonly request: BudgetRequest;
  readonly findings: Findings;
};

/** The fee of a price that was not requested, at the highest of the limits. */
function checkFee(price: Call, { calls, limits, request, findings }: FeeInput): void {
  const { givenInstructions = 0, maxPriorityFeeLamports = DEFAULT_MAX_FEE } = request;
  const others =
    givenInstructions + calls.filter(({ spec }) => spec.program !== 'computeBudget').length;
  const stated = limits.map(({ args }) => args['units'] ?? MAX_COMPUTE_UNITS);
  const reserved =
    stated.length === 0
      ? min(DEFAULT_UNITS * BigInt(others), MAX_COMPUTE_UNITS)
      : stated.reduce((most, units) => (units > most ? units : most));
  const fee = (reserved * (price.args['microLamports'] ?? 0n) + 999_999n) / 1_000_000n;
  const maxFee = toUnsigned(maxPriorityFeeLamports) ?? 0n;
  if (fee <= maxFee) return;
  const message = `The priority fee is up to ${fee} lamports; the limit is ${maxFee}.`;
  findings.add('PRIORITY_FEE_TOO_HIGH', message, price);
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

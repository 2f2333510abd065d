import { type Address, CodedError, U64_MAX } from '@tidegate/core/base';
import type {
  BuildContext,
  Builder,
  ComputeBudget,
  LoanAddresses,
  SimulationOutcome,
} from '@tidegate/core/builders';
import type { ClusterReader } from '@tidegate/core/state';
import type { ComputeBudgetFields } from './builder-schemas.ts';

/** Of every request, what tells whose accounts are needed. */
export type BuilderRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market?: Address | undefined;
};

/** One thing that a wallet may want, over HTTP. */
export type BuilderAction<Body extends ComputeBudgetFields, Request extends BuilderRequest> = {
  readonly builder: Builder<Request>;
  /** Without the budget. */
  parse(body: Body, state: ClusterReader): Request;
  forecast(request: Request, scene: BuildContext): SimulationOutcome;
  /** Of lending: whose report is told before and after. */
  loanOf?(request: Request, state: ClusterReader): LoanAddresses;
};

const DIGITS = /^\d{1,20}$/;

export function parseComputeBudget({
  computeUnitLimit,
  computeUnitPrice,
}: ComputeBudgetFields): ComputeBudget {
  return {
    computeUnitLimit,
    computeUnitPrice: computeUnitPrice === undefined ? undefined : priceOf(computeUnitPrice),
  };
}

function priceOf(given: number | string): bigint {
  const price = typeof given === 'number' || DIGITS.test(given) ? BigInt(given) : undefined;
  if (price !== undefined && price <= U64_MAX) return price;
  const message = `computeUnitPrice must be a whole number up to ${U64_MAX}`;
  throw new CodedError('INVALID_BODY', {
    issues: [{ path: ['computeUnitPrice'], code: 'invalid_value', message }],
  });
}

import { type Address, U64_MAX } from '@tidegate/core/base';
import type {
  BuildContext,
  Builder,
  ComputeBudget,
  LoanAddresses,
  SimulationOutcome,
} from '@tidegate/core/builders';
import type { ClusterReader } from '@tidegate/core/state';
import { CodedError } from '../../../errors.ts';
import type { ComputeBudgetFields } from './builder-schemas.ts';

/** The fields that all builder requests have. */
export type BuilderRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market?: Address | undefined;
};

/** Connects a builder of the core to a request body. */
export type BuilderAction<Body extends ComputeBudgetFields, Request extends BuilderRequest> = {
  readonly builder: Builder<Request>;
  /** Set if a request names accounts to read, which can be of any size. */
  readonly readsNamedAccounts?: true;
  /** Does not parse the compute budget. */
  parse(body: Body, state: ClusterReader): Request;
  simulateLocally(request: Request, context: BuildContext): SimulationOutcome;
  /** Lending only: the loan that the preview reports before and after. */
  loanAddressesOf?(request: Request, state: ClusterReader): LoanAddresses;
};

/** More than any account that builders decode. */
export const MAX_NAMED_ACCOUNT_BYTES = 16_384;

const DIGITS = /^\d{1,20}$/;

export function parseComputeBudget({
  computeUnitLimit,
  computeUnitPrice,
}: ComputeBudgetFields): ComputeBudget {
  return {
    computeUnitLimit,
    computeUnitPrice: computeUnitPrice === undefined ? undefined : parsePrice(computeUnitPrice),
  };
}

function parsePrice(value: number | string): bigint {
  const price = typeof value === 'number' || DIGITS.test(value) ? BigInt(value) : undefined;
  if (price !== undefined && price <= U64_MAX) return price;
  const message = `computeUnitPrice must be an integer of at most ${U64_MAX}`;
  throw new CodedError('INVALID_BODY', {
    issues: [{ path: ['computeUnitPrice'], code: 'invalid_value', message }],
  });
}

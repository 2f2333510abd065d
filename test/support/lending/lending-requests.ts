import type { Build, BuildContext } from '#core/builders/build.ts';
import type { LendingActionKind, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { findKnownProgram } from '#core/views/transactions/known-programs.ts';
import { loadExampleContext } from '../builders/load-build-context.ts';
import { lendingBuilders } from '../flows/lending-flows.ts';
import {
  EXAMPLE_RESERVES,
  EXAMPLE_WALLET,
  type ExampleReserve,
  type ExampleWallet,
  exampleLending,
} from './example-lending.ts';
import { MARKET } from './lending-accounts.ts';

export type LendingRequestOverrides = Partial<LendingRequest> &
  Pick<LendingRequest, 'amount'> & {
    readonly of: ExampleReserve;
  };

export type PreparedLendingRequest = {
  readonly request: LendingRequest;
  readonly context: BuildContext;
  readonly reads: number;
  build(): Build;
};

/** A request of the example wallet with all its accounts. */
export function prepareLendingRequest(
  intent: LendingActionKind,
  { of, ...input }: LendingRequestOverrides,
  wallet: ExampleWallet = {},
): PreparedLendingRequest {
  const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: of.address, ...input };
  const builder = lendingBuilders[intent];
  const { context, reads } = loadExampleContext(builder, request, exampleLending(wallet));
  return { request, context, reads, build: () => builder.build(request, context) };
}

export const buildLendingRequest = (
  intent: LendingActionKind,
  input: LendingRequestOverrides,
  wallet?: ExampleWallet,
): Build => prepareLendingRequest(intent, input, wallet).build();

export const instructionNames = ({ instructions }: Pick<Build, 'instructions'>): string[] =>
  instructions.map(
    ({ programAddress, data }) => findKnownProgram(programAddress)?.nameOf(data) ?? '?',
  );

/** Finds a reserve by its kind: SOL, with a deposit farm, with a debt farm, of Token-2022, or plain. */
export function reserveOfKind(
  kind: 'sol' | 'collateral farm' | 'debt farm' | 'token-2022' | 'plain',
) {
  const at = { sol: 0, 'collateral farm': 1, 'debt farm': 2, 'token-2022': 4, plain: 8 }[kind];
  const found = EXAMPLE_RESERVES[at];
  if (found === undefined) throw new Error(`no reserve ${at}`);
  return found;
}

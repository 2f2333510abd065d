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

/** A request of the made wallet, with everything read for it. */
export function prepareLendingRequest(
  intent: LendingActionKind,
  { of, ...ask }: LendingRequestOverrides,
  made: ExampleWallet = {},
): PreparedLendingRequest {
  const request = { wallet: EXAMPLE_WALLET, market: MARKET, reserve: of.address, ...ask };
  const builder = lendingBuilders[intent];
  const { context, reads } = loadExampleContext(builder, request, exampleLending(made));
  return { request, context, reads, build: () => builder.build(request, context) };
}

export const buildLendingRequest = (
  intent: LendingActionKind,
  ask: LendingRequestOverrides,
  made?: ExampleWallet,
): Build => prepareLendingRequest(intent, ask, made).build();

export const instructionNames = ({ instructions }: Pick<Build, 'instructions'>): string[] =>
  instructions.map(
    ({ programAddress, data }) => findKnownProgram(programAddress)?.nameOf(data) ?? '?',
  );

/** By what they have: SOL; a farm for deposits; a farm for debts; Token-2022; neither. */
export function reserveOfKind(
  kind: 'sol' | 'collateral farm' | 'debt farm' | 'token-2022' | 'plain',
) {
  const at = { sol: 0, 'collateral farm': 1, 'debt farm': 2, 'token-2022': 4, plain: 8 }[kind];
  const found = EXAMPLE_RESERVES[at];
  if (found === undefined) throw new Error(`no reserve ${at}`);
  return found;
}

import type { Build, Scene } from '#core/builders/build.ts';
import type { LendingIntent, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { knownProgram } from '#core/views/transactions/known-programs.ts';
import { readScene } from '../builders/load-build-context.ts';
import { lendingBuilders } from '../flows/lending-flows.ts';
import {
  MADE_RESERVES,
  MADE_WALLET,
  type MadeReserve,
  type MadeWallet,
  madeLending,
} from './example-lending.ts';
import { MARKET } from './lending-accounts.ts';

export type Ask = Partial<LendingRequest> &
  Pick<LendingRequest, 'amount'> & {
    readonly of: MadeReserve;
  };

export type Asked = {
  readonly request: LendingRequest;
  readonly scene: Scene;
  readonly reads: number;
  build(): Build;
};

/** A request of the made wallet, with everything read for it. */
export function asked(intent: LendingIntent, { of, ...ask }: Ask, made: MadeWallet = {}): Asked {
  const request = { wallet: MADE_WALLET, market: MARKET, reserve: of.address, ...ask };
  const builder = lendingBuilders[intent];
  const { scene, reads } = readScene(builder, request, madeLending(made));
  return { request, scene, reads, build: () => builder.build(request, scene) };
}

export const built = (intent: LendingIntent, ask: Ask, made?: MadeWallet): Build =>
  asked(intent, ask, made).build();

export const namesOf = ({ instructions }: Pick<Build, 'instructions'>): string[] =>
  instructions.map(({ programAddress, data }) => knownProgram(programAddress)?.nameOf(data) ?? '?');

/** By what they have: SOL; a farm for deposits; a farm for debts; Token-2022; neither. */
export function madeReserve(
  kind: 'sol' | 'collateral farm' | 'debt farm' | 'token-2022' | 'plain',
) {
  const at = { sol: 0, 'collateral farm': 1, 'debt farm': 2, 'token-2022': 4, plain: 8 }[kind];
  const found = MADE_RESERVES[at];
  if (found === undefined) throw new Error(`no reserve ${at}`);
  return found;
}

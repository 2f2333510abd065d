import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Builder } from '#core/builders/build.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import type { LendingActionKind, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { repayBuilder } from '#core/builders/lending/repay-builder.ts';
import { withdrawBuilder } from '#core/builders/lending/withdraw-builder.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { FlowContext, obligationKind, readGoldenClusterFile } from './flow-context.ts';
import { type FlowSnapshot, flowSnapshots } from './flow-snapshots.ts';

export const lendingBuilders: Readonly<Record<LendingActionKind, Builder<LendingRequest>>> = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

export type LendingFlow = FlowSnapshot & {
  readonly state: ClusterReader;
  /** Of its file. */
  readonly number: number;
  readonly name: string;
  readonly intent: LendingActionKind;
  readonly request: LendingRequest;
};

const intents: readonly string[] = Object.keys(lendingBuilders) satisfies string[];

const isIntent = (text: string): text is LendingActionKind => intents.includes(text);

/** Flows that ask for one of the four operations, as requests to us. */
export function lendingFlows(): LendingFlow[] {
  const cluster = readGoldenClusterFile();
  return flowSnapshots().flatMap((placed) => {
    const { flow, accounts } = placed;
    const { operation } = flow;
    if (!isIntent(operation) || !('symbol' in flow.raw)) return [];
    const scene = new FlowContext(flow, { cluster, accounts });
    const { amount = '', symbol = '', obligation = { tag: 0, id: 0 } } = scene.parameters;
    const asked = BigInt(amount);
    const request: LendingRequest = {
      wallet: scene.user,
      market: scene.market,
      reserve: scene.reserveOf(symbol).address,
      amount: asked === U64_MAX ? 'all' : asked,
      obligation: { ...obligationKind(obligation), id: obligation.id },
    };
    const number = Number(flow.name.slice(0, 2));
    return {
      ...placed,
      state: goldenReader(placed),
      number,
      name: flow.name,
      intent: operation,
      request,
    };
  });
}

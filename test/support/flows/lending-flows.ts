import { U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Builder } from '#core/builders/build.ts';
import { lendBorrow } from '#core/builders/lending/borrow-builder.ts';
import { lendDeposit } from '#core/builders/lending/deposit-builder.ts';
import type { LendingIntent, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { lendRepay } from '#core/builders/lending/repay-builder.ts';
import { lendWithdraw } from '#core/builders/lending/withdraw-builder.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { FlowScene, kindOf, readCluster } from './flow-context.ts';
import { type PlacedFlow, placedFlows } from './flow-snapshots.ts';

export const lendingBuilders: Readonly<Record<LendingIntent, Builder<LendingRequest>>> = {
  deposit: lendDeposit,
  borrow: lendBorrow,
  repay: lendRepay,
  withdraw: lendWithdraw,
};

export type LendingFlow = PlacedFlow & {
  readonly state: ClusterReader;
  /** Of its file. */
  readonly number: number;
  readonly name: string;
  readonly intent: LendingIntent;
  readonly request: LendingRequest;
};

const intents: readonly string[] = Object.keys(lendingBuilders) satisfies string[];

const isIntent = (text: string): text is LendingIntent => intents.includes(text);

/** Flows that ask for one of the four operations, as requests to us. */
export function lendingFlows(): LendingFlow[] {
  const cluster = readCluster();
  return placedFlows().flatMap((placed) => {
    const { flow, accounts } = placed;
    const { operation } = flow;
    if (!isIntent(operation) || !('symbol' in flow.raw)) return [];
    const scene = new FlowScene(flow, { cluster, accounts });
    const { amount = '', symbol = '', obligation = { tag: 0, id: 0 } } = scene.facts;
    const asked = BigInt(amount);
    const request: LendingRequest = {
      wallet: scene.user,
      market: scene.market,
      reserve: scene.reserveOf(symbol).address,
      amount: asked === U64_MAX ? 'all' : asked,
      obligation: { ...kindOf(obligation), id: obligation.id },
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

import { U64_MAX } from '../../src/base/lamports.ts';
import { lendBorrow } from '../../src/builders/borrow.ts';
import type { Builder } from '../../src/builders/build.ts';
import { lendDeposit } from '../../src/builders/deposit.ts';
import type { LendingIntent, LendingRequest } from '../../src/builders/lending-request.ts';
import { lendRepay } from '../../src/builders/repay.ts';
import { lendWithdraw } from '../../src/builders/withdraw.ts';
import type { ClusterReader } from '../../src/state/reader.ts';
import { type PlacedFlow, placedFlows } from './flow-cluster.ts';
import { FlowScene, kindOf, readCluster } from './flow-scene.ts';
import { goldenReader } from './golden-reader.ts';

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

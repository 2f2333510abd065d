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
  /** The number at the start of the file name. */
  readonly number: number;
  readonly name: string;
  readonly intent: LendingActionKind;
  readonly request: LendingRequest;
};

const intents: readonly string[] = Object.keys(lendingBuilders) satisfies string[];

const isIntent = (text: string): text is LendingActionKind => intents.includes(text);

/** The recorded flows of the four lending operations, as requests to our builders. */
export function lendingFlows(): LendingFlow[] {
  const cluster = readGoldenClusterFile();
  return flowSnapshots().flatMap((snapshot) => {
    const { flow, accounts } = snapshot;
    const { operation } = flow;
    if (!isIntent(operation) || !('symbol' in flow.raw)) return [];
    const context = new FlowContext(flow, { cluster, accounts });
    const { amount = '', symbol = '', obligation = { tag: 0, id: 0 } } = context.parameters;
    const requested = BigInt(amount);
    const request: LendingRequest = {
      wallet: context.user,
      market: context.market,
      reserve: context.reserveOf(symbol).address,
      amount: requested === U64_MAX ? 'all' : requested,
      obligation: { ...obligationKind(obligation), id: obligation.id },
    };
    const number = Number(flow.name.slice(0, 2));
    return {
      ...snapshot,
      state: goldenReader(snapshot),
      number,
      name: flow.name,
      intent: operation,
      request,
    };
  });
}

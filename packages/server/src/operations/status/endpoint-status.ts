import { type Static, Type } from 'typebox';
import type { ClusterStatus, EndpointTraffic } from '../../clusters/cluster-status.ts';
import { describe } from '../../http/schemas/describe.ts';
import { NullableNumber, NullableString } from '../../http/schemas/primitives.ts';

const TrafficJson = Type.Object({
  calls: Type.Integer({ description: 'JSON-RPC calls; a batch counts each of its calls' }),
  bytes: Type.Integer({ description: 'Bytes sent and received, compressed, with headers' }),
});

const BudgetJson = Type.Object({
  callsPerSecond: describe(NullableNumber, 'Calls per second; null if they are not limited'),
  bytesPerDay: describe(NullableNumber, 'Bytes per UTC day; null if they are not limited'),
  bytesLeft: describe(NullableNumber, 'Bytes that are left today; null if they are not limited'),
});

const UsageJson = Type.Union(
  [
    Type.Object({
      lastMinute: describe(TrafficJson, 'In the last minute'),
      today: describe(TrafficJson, 'Since 00:00 UTC or the start of the process'),
      budget: Type.Union([BudgetJson, Type.Null()], {
        description: 'What RPC_BUDGET allows; null if it is not set',
      }),
    }),
    Type.Null(),
  ],
  { description: 'Calls of this process to the endpoint; null if they are not counted' },
);

export const EndpointStatusJson = Type.Object({
  name: Type.String({ description: 'Host of the endpoint' }),
  healthy: Type.Boolean({
    description: 'Whether it is reachable, of the right cluster and not too far behind',
  }),
  slot: describe(NullableString, 'Newest slot of the endpoint; null if unknown'),
  lastError: describe(NullableString, 'Why its last request failed; null if it succeeded'),
  usage: UsageJson,
});

export const endpointJson = (
  endpoint: ClusterStatus['endpoints'][number],
): Static<typeof EndpointStatusJson> => ({
  name: endpoint.name,
  healthy: endpoint.healthy,
  slot: endpoint.slot?.toString() ?? null,
  lastError: endpoint.failureReason ?? null,
  usage: endpoint.usage === undefined ? null : usageJson(endpoint.usage),
});

function usageJson({ lastMinute, today, budget }: EndpointTraffic): Static<typeof UsageJson> {
  return { lastMinute, today, budget: budget === undefined ? null : budgetJson(budget) };
}

const budgetJson = (budget: NonNullable<EndpointTraffic['budget']>): Static<typeof BudgetJson> => ({
  callsPerSecond: budget.callsPerSecond ?? null,
  bytesPerDay: budget.bytesPerDay ?? null,
  bytesLeft: budget.bytesLeft ?? null,
});

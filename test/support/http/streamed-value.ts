import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { AppOptions } from '#server/app.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type { CodedError } from '#server/errors.ts';
import type { Operation } from '#server/http/operation.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { startApp } from './test-api.ts';

const operation: Operation = {
  operationId: 'getValue',
  tag: 'x',
  summary: 'x',
  weight: 2,
  statuses: [],
  dependsOn: ['slot'],
};

const FIRST_SLOT = 100n;

/** A server with an operation at `/value` whose value, and the slot of whose cluster, the test sets. */
export async function startStreamedValue(options: Partial<AppOptions> = {}) {
  const state = new ClusterState({ log: silentLog });
  const moveTo = (slot: bigint): void =>
    state.setAt({ slot: toSlot(slot), unix: toUnixSeconds(1_750_000_000n + slot) });
  moveTo(FIRST_SLOT);
  const control = {
    value: 'first',
    failure: undefined as CodedError | undefined,
    /** Calls of the handler. */
    calls: 0,
    moveTo,
  };
  const api = await startApp({
    clusters: createClusters([staticCluster({ reader: state })]),
    ...options,
    routes: (app) => {
      app.get('/value', { config: { operation } }, async () => {
        control.calls += 1;
        if (control.failure !== undefined) throw control.failure;
        return { value: control.value };
      });
    },
  });
  return { ...api, control, streamUrl: `${api.url}/value` };
}

import type { ClusterHooks } from '#server/clusters/cluster-hooks.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import type { History } from '#server/history/open-history.ts';
import type { OperationExample } from '#server/http/openapi-document.ts';
import { createClusterHooks } from '#server/webhooks/create-cluster-hooks.ts';
import { HookRunner } from '#server/webhooks/hook-runner.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';

/** Webhooks of the example cluster. Nothing is delivered: deliveries stay as they were stored. */
export function createExampleHooks(
  cluster: Cluster,
  history: History,
  clock: () => number,
): ClusterHooks {
  const runner = new HookRunner({
    ...{ history, cluster, clock, log: silentLog, random: () => 0 },
    network: { lookup: () => new Promise(() => undefined), isPrivate: () => true },
    ...{ allowsPrivate: false, retentionDays: 30 },
  });
  return createClusterHooks({
    ...{ history, cluster, clock, allowsPrivate: false },
    execute: (command) => runner.execute(command),
    status: () => undefined,
  });
}

export type HookRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
};

type Inject = (request: HookRequest) => Promise<unknown>;

/** One request and response per operation of webhooks, with ids and secrets that are the same every time. */
export async function readHookExamples(
  inject: Inject,
  obligation: string,
): Promise<Record<string, OperationExample>> {
  const newHook = {
    url: 'https://alerts.example/tidegate',
    trigger: { type: 'loanHealth', obligation, metric: 'ltv', threshold: '0.75' },
  };
  const created = await inject({ method: 'POST', path: '/hooks', body: newHook });
  const { id } = Object(created);
  const path = `/hooks/${id}`;
  const parameters = { id };
  const tested = await inject({ method: 'POST', path: `${path}/test` });
  const { delivery } = Object(tested);
  const replay = { delivery };
  const examples = {
    createHook: { body: newHook, response: created },
    listHooks: { response: await inject({ method: 'GET', path: '/hooks' }) },
    getHook: { parameters, response: await inject({ method: 'GET', path }) },
    listHookDeliveries: {
      parameters,
      response: await inject({ method: 'GET', path: `${path}/deliveries` }),
    },
    replayHookDeliveries: {
      parameters,
      body: replay,
      response: await inject({ method: 'POST', path: `${path}/replay`, body: replay }),
    },
    testHook: { parameters, response: tested },
    rotateHookSecret: {
      parameters,
      response: await inject({ method: 'POST', path: `${path}/rotate-secret` }),
    },
    enableHook: { parameters, response: await inject({ method: 'POST', path: `${path}/enable` }) },
    deleteHook: { parameters, response: await inject({ method: 'DELETE', path }) },
  };
  const text = JSON.stringify(examples)
    .replaceAll(String(id), `hook_${'0123456789ab'.repeat(2)}`)
    .replaceAll(String(delivery), `msg_${'0123456789abcdef'.repeat(2)}`)
    .replaceAll(
      /whsec_[A-Za-z0-9+/=]+/g,
      `whsec_${Buffer.alloc(32, 'tidegate').toString('base64')}`,
    );
  return JSON.parse(text) as Record<string, OperationExample>;
}

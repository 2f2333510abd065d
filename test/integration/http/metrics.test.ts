import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { EndpointTraffic, RecordingStatus } from '#server/clusters/cluster-status.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import { goldenClusters, staticCluster } from '../../support/golden/golden-clusters.ts';
import { staticRecording } from '../../support/golden/static-recording.ts';
import { startApi } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

const PROGRAM = numberedAddress(1);
const PATH = '/tokens-api/tokens';
const NOW = 1_700_000_100_000;

const recording: RecordingStatus = {
  sampledAt: toUnixSeconds(1_700_000_040n),
  writtenAt: 1_700_000_041_500,
  waitingBatches: 3,
  eventSlot: toSlot(77n),
  undecodedTransactions: 2,
  eventFailures: 1,
  loadingPositions: 4,
  eventsSince: toUnixSeconds(0n),
  backfilledTo: new Map([[PROGRAM, toUnixSeconds(1_600_000_000n)]]),
  pool: { used: 2, idle: 5, waiting: 1 },
};

const usage: EndpointTraffic = {
  lastMinute: { calls: 21, bytes: 5_117 },
  today: { calls: 300, bytes: 70_000 },
  methods: new Map([
    [
      'getTransaction',
      {
        calls: 20,
        sentBytes: 100,
        receivedBytes: 5_000,
        errors: new Map([['SOURCE_REFUSES', 2]]),
        durations: [3, 1, 1],
        totalSeconds: 0.9,
      },
    ],
  ]),
  durationBounds: [0.1, 0.5],
  budget: { callsPerSecond: 10, bytesPerDay: 2_000_000, bytesLeft: 1_930_000 },
};

const status = (): ReturnType<Cluster['status']> => ({
  ...staticCluster().status(),
  slot: toSlot(500n),
  lagSlots: 7,
  waitingFor: '7 slots to catch up',
  endpoints: [
    {
      name: 'a.example',
      healthy: true,
      slot: toSlot(507n),
      failureReason: undefined,
      failures: 0,
      usage,
    },
    { name: 'b"\\', healthy: false, slot: undefined, failureReason: 'timeout', failures: 12 },
  ],
  alarms: [{ kind: 'leap', count: 3, last: { source: 'b', reason: 'ahead', at: NOW } }],
  source: {
    step: 'websocket',
    since: 0,
    reason: '',
    steps: [
      { step: 'websocket', active: true, lastError: undefined, retryInMs: undefined },
      { step: 'polling', active: false, lastError: undefined, retryInMs: undefined },
    ],
  },
});

async function readMetrics(url: string): Promise<readonly string[]> {
  return (await (await fetch(`${url}/metrics`)).text()).trimEnd().split('\n');
}

test('slots, readiness, endpoints, recording and the pool of a cluster are metrics', async () => {
  const clusters = goldenClusters({
    status,
    ageMs: () => 2_500,
    recording: staticRecording({
      status: () => recording,
      connections: () => recording.pool,
    }),
  });
  const { url } = await startApi({ clusters, clock: () => NOW });
  expect(await readMetrics(url)).toEqual(
    expect.arrayContaining([
      'tidegate_ready 0',
      'tidegate_slot{cluster="localnet"} 500',
      'tidegate_slot_lag{cluster="localnet"} 7',
      'tidegate_data_age_seconds{cluster="localnet"} 2.5',
      'tidegate_cluster_ready{cluster="localnet"} 0',
      'tidegate_source_active{cluster="localnet",step="websocket"} 1',
      'tidegate_source_active{cluster="localnet",step="polling"} 0',
      'tidegate_source_alarms_total{cluster="localnet",kind="leap"} 3',
      'tidegate_endpoint_healthy{cluster="localnet",endpoint="a.example"} 1',
      'tidegate_endpoint_healthy{cluster="localnet",endpoint="b\\"\\\\"} 0',
      'tidegate_endpoint_slot{cluster="localnet",endpoint="a.example"} 507',
      'tidegate_endpoint_failures_total{cluster="localnet",endpoint="b\\"\\\\"} 12',
      'tidegate_history_last_sample_timestamp_seconds{cluster="localnet"} 1700000040',
      'tidegate_history_last_write_timestamp_seconds{cluster="localnet"} 1700000041.5',
      'tidegate_history_writes_waiting{cluster="localnet"} 3',
      'tidegate_history_event_slot{cluster="localnet"} 77',
      'tidegate_history_undecoded_transactions_total{cluster="localnet"} 2',
      'tidegate_history_event_poll_failures{cluster="localnet"} 1',
      'tidegate_history_positions_loading{cluster="localnet"} 4',
      'tidegate_history_events_since_timestamp_seconds{cluster="localnet"} 0',
      `tidegate_backfill_reached_timestamp_seconds{cluster="localnet",program="${PROGRAM}"} 1600000000`,
      'tidegate_database_connections{cluster="localnet",state="used"} 2',
      'tidegate_database_connections{cluster="localnet",state="idle"} 5',
      'tidegate_database_queries_waiting{cluster="localnet"} 1',
    ]),
  );
});

test('a process that only reads has the metrics of its pool, and one on standby says so', async () => {
  const reading = goldenClusters({
    status,
    recording: staticRecording({ connections: () => ({ used: 3, idle: 1, waiting: 2 }) }),
  });
  const progress = () => ({ stage: 'standby', done: 0, total: 0 }) as const;
  const api = await startApi({ clusters: reading });
  const standby = await startApi({ clusters: { ...reading, all: [], progress } });
  expect(await readMetrics(api.url)).toEqual(
    expect.arrayContaining([
      'tidegate_database_connections{cluster="localnet",state="used"} 3',
      'tidegate_database_queries_waiting{cluster="localnet"} 2',
      'tidegate_standby 0',
    ]),
  );
  expect(await readMetrics(standby.url)).toContain('tidegate_standby 1');
});

test('a value that is not known has no sample', async () => {
  const clusters = goldenClusters({ status: () => ({ ...status(), slot: undefined }) });
  const { url } = await startApi({ clusters });
  const lines = await readMetrics(url);
  for (const name of ['tidegate_slot', 'tidegate_slot_lag', 'tidegate_data_age_seconds']) {
    expect(lines).toContain(`# TYPE ${name} gauge`);
    expect(lines.filter((line) => line.startsWith(`${name}{`))).toEqual([]);
  }
});

test('requests are counted and logged by the id of their key, never by the key', async () => {
  const { key, record } = generateApiKey('app', null, NOW);
  const revoked = { ...generateApiKey('old', null, NOW).record, revokedAt: 'x' };
  const { url, get, logLines } = await startApi({ keys: createApiKeys([record, revoked]) });
  for (let time = 0; time < 3; time += 1) await get(PATH, { 'x-api-key': key });
  await get(PATH);
  await get(PATH, { 'x-api-key': `${key}x` });
  const counted = `tidegate_api_key_requests_total{key="${record.id}"} 3`;
  await expect.poll(() => readMetrics(url)).toContain(counted);
  expect(await readMetrics(url)).toContain('tidegate_api_keys 1');
  const ids = logLines
    .filter(({ fields }) => fields['route'] === PATH)
    .map(({ fields }) => fields['keyId']);
  expect(ids).toEqual([record.id, record.id, record.id, undefined, undefined]);
  const secret = key.slice(`tg_${record.id}_`.length);
  expect(JSON.stringify([logLines, await readMetrics(url)])).not.toContain(secret);
});

test('cache hits and misses are counted on the fast path and behind the router', async () => {
  const { url, get } = await startApi();
  for (let time = 0; time < 3; time += 1) await get(PATH);
  await get(`${PATH}?limit=1`);
  const lines = await readMetrics(url);
  expect(lines).toContain('tidegate_response_cache_hits_total 2');
  expect(lines).toContain('tidegate_response_cache_misses_total 2');
  expect(lines).toContain('tidegate_cached_responses 2');
});

test('every metric has a type and a description, and docs/operations.md lists it', async () => {
  const { url } = await startApi({
    clusters: goldenClusters({
      recording: staticRecording({
        status: () => recording,
        connections: () => recording.pool,
      }),
    }),
  });
  const lines = await readMetrics(url);
  const helps = lines.flatMap((line) => /^# HELP (\S+) \S.*\.$/.exec(line)?.[1] ?? []);
  const types = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, type }];
  });
  expect(types.map(({ name }) => name)).toEqual(helps);
  expect(new Set(helps).size).toBe(helps.length);
  for (const { name, type } of types) {
    expect(type === 'counter', name).toBe(name.endsWith('_total'));
  }
  const samples = lines.filter((line) => !line.startsWith('#'));
  for (const line of samples) {
    expect(line).toMatch(/^[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)+\})? [-+.\dEeINa]\S*$/);
  }
  const guide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const documented = [...guide.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name);
  expect(documented.filter((name) => name?.includes('_')).toSorted()).toEqual(helps.toSorted());
});

test('calls to an endpoint are metrics by method, and parts of its status', async () => {
  const { url } = await startApi({ clusters: goldenClusters({ status }), clock: () => NOW });
  const method = 'cluster="localnet",endpoint="a.example",method="getTransaction"';
  expect(await readMetrics(url)).toEqual(
    expect.arrayContaining([
      `tidegate_rpc_calls_total{${method}} 20`,
      `tidegate_rpc_sent_bytes_total{${method}} 100`,
      `tidegate_rpc_received_bytes_total{${method}} 5000`,
      `tidegate_rpc_errors_total{${method},code="SOURCE_REFUSES"} 2`,
      'tidegate_rpc_budget_bytes_left{cluster="localnet",endpoint="a.example"} 1930000',
      '# TYPE tidegate_rpc_request_duration_seconds histogram',
      `tidegate_rpc_request_duration_seconds_bucket{${method},le="0.1"} 3`,
      `tidegate_rpc_request_duration_seconds_bucket{${method},le="0.5"} 4`,
      `tidegate_rpc_request_duration_seconds_bucket{${method},le="+Inf"} 5`,
      `tidegate_rpc_request_duration_seconds_sum{${method}} 0.9`,
      `tidegate_rpc_request_duration_seconds_count{${method}} 5`,
    ]),
  );
  const response = await (await fetch(`${url}/status`)).json();
  expect(response).toMatchObject({
    clusters: [
      {
        endpoints: [
          {
            usage: {
              lastMinute: { calls: 21, bytes: 5_117 },
              today: { calls: 300, bytes: 70_000 },
              budget: { callsPerSecond: 10, bytesPerDay: 2_000_000, bytesLeft: 1_930_000 },
            },
          },
          { name: 'b"\\', usage: null },
        ],
      },
    ],
  });
});

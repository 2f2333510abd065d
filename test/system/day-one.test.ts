import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LONG_POLL } from '../support/clusters/served-cluster.ts';
import { compareResponses, type JsonResponse } from '../support/day-one/compare-responses.ts';
import {
  listOperationRequests,
  type OpenApi,
  type OperationRequest,
  type Subject,
} from '../support/day-one/operation-requests.ts';
import { readWalletAddress } from '../support/localnet/wallet-keys.ts';
import { startServer, startServerAsIs } from '../support/processes/run-tidegate.ts';

type Demo = Subject & {
  readonly rpcUrl: string;
  readonly deposit: { readonly reserve: string };
};
type Vault = { readonly address: string; readonly state: Readonly<Record<string, string>> };
type Obligation = { readonly obligationAddress: string };
type Position = { readonly vaultAddress: string };

async function request(url: string, { path, body }: Omit<OperationRequest, 'operationId'>) {
  const response = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  // links contain the address of the server
  const text = (await response.text()).replaceAll(url, 'http://server');
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as unknown) : text,
    headers: response.headers,
  };
}

const getJson = async <Body>(url: string, path: string): Promise<Body> =>
  (await request(url, { path })).body as Body;

/** A server that simulated the cluster's past, and one that begins now and reads the cluster over RPC. */
async function startBoth() {
  const days = process.env['DAY_ONE_DAYS'];
  const all = days === undefined ? await startServer() : await startSimulation(days);
  await expect.poll(async () => (await fetch(`${all.url}/ready`)).status, LONG_POLL).toBe(200);
  const { demo } = await getJson<{ demo: Demo }>(all.url, '/status');
  const late = await startServerAsIs({ RPC_URL: demo.rpcUrl, CLUSTER: 'localnet' });
  await expect.poll(async () => (await fetch(`${late.url}/ready`)).status, LONG_POLL).toBe(200);
  return { all: all.url, late: late.url, demo, dataDir: all.dataDir };
}

type Servers = Awaited<ReturnType<typeof startBoth>>;

const startSimulation = (days: string) => startServerAsIs({ LOCALNET_DAYS: days });

const OTHER_WALLETS = [1, 2, 3, 4];

/** The demo wallet, and others with their first loan and vault, if they have any. */
async function listSubjects({ all: url, demo, dataDir }: Servers): Promise<readonly Subject[]> {
  const { market, deposit } = demo;
  const vaults = await getJson<Vault[]>(url, '/kvaults/vaults');
  const toSubject = (wallet: string, obligation: string, vault: string): Subject => {
    const state = vaults.find(({ address }) => address === vault)?.state;
    const { sharesMint = '', vaultFarm: farm = '' } = state ?? {};
    return { wallet, obligation, vault, market, reserve: deposit.reserve, sharesMint, farm };
  };
  const subjects = [toSubject(demo.wallet, demo.obligation, demo.vault)];
  for (const index of OTHER_WALLETS) {
    const wallet = readWalletAddress(dataDir, index);
    const loansPath = `/svc-market/${market}/users/${wallet}/obligations`;
    const [loan] = await getJson<Obligation[]>(url, loansPath);
    const [position] = await getJson<Position[]>(url, `/kvaults/users/${wallet}/positions`);
    subjects.push(
      toSubject(
        wallet,
        loan?.obligationAddress ?? demo.obligation,
        position?.vaultAddress ?? demo.vault,
      ),
    );
  }
  return subjects;
}

type Responses = { readonly all: JsonResponse; readonly late: JsonResponse };

/** Totals of all loans are aggregated once in a while, and say when. */
const aggregatedOn = ({ body }: JsonResponse): unknown =>
  Array.isArray(body) ? body[0]?.updatedOn : undefined;

/** In the stats of a reserve, and in a list of season rewards. */
const SEASON_RATES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['supplyApyBreakdown', new Set(['seasonRewards', 'total', 'pairIncentives'])],
  ['lastCalculated', new Set(['apy', 'activePositionsUsd'])],
]);

/** Rates of season rewards come from such totals, and do not say of which slot: a second has several. */
function withoutSeasonRates(response: JsonResponse): JsonResponse {
  const { body } = response;
  const sample: object = Object(Array.isArray(body) ? body[0] : body);
  const rates = [...SEASON_RATES].find(([name]) => name in sample)?.[1];
  if (rates === undefined) return response;
  const text = JSON.stringify(body, (key, value) => (rates.has(key) ? undefined : value));
  return { ...response, body: JSON.parse(text) };
}

const MINUTE_MS = 60_000;

/**
 * A stake of shares has the price of the last sample before it. The servers sample at full minutes, but the late one begins
 * within a minute, so that it has an own sample in it.
 */
function withoutFirstPrices(response: JsonResponse, late: JsonResponse): JsonResponse {
  const [, start = ''] = /^1970[^/]*\/([^,\s]+)/.exec(late.headers.get('x-gaps') ?? '') ?? [];
  const fullMinute = Math.ceil(Date.parse(start) / MINUTE_MS) * MINUTE_MS;
  const isEarly = (value: object): boolean =>
    'instruction' in value &&
    'createdOn' in value &&
    Date.parse(String(value.createdOn)) < fullMinute;
  const text = JSON.stringify(response.body, (_, value: unknown) =>
    isEarly(Object(value)) ? { ...Object(value), usdAmount: undefined } : value,
  );
  return { ...response, body: JSON.parse(text) };
}

const isSameSlot = ({ all, late }: Responses): boolean =>
  all.headers.get('x-slot') === late.headers.get('x-slot') &&
  aggregatedOn(all) === aggregatedOn(late);

const MAX_ATTEMPTS = 40;

/** Both responses as of the same slot; responses without a slot do not depend on one. */
async function requestBoth(urls: readonly [string, string], operation: OperationRequest) {
  for (let attempt = 1; ; attempt++) {
    const [all, late] = await Promise.all([
      request(urls[0], operation),
      request(urls[1], operation),
    ]);
    if (isSameSlot({ all, late }) || late.status === 503) return { all, late };
    if (attempt === MAX_ATTEMPTS) return { all, late };
    await sleep(30);
  }
}

/** Tries at different slots. */
const MAX_MISSES = 8;
/** Tries at the same slot: on a busy machine an event is recorded late. */
const MAX_TRIES = 100;
const RETRY_MS = 300;

/** Both servers record new events on their own, so that lists may differ for a moment: a wrong response stays wrong. */
async function judge(urls: readonly [string, string], operation: OperationRequest) {
  let misses = 0;
  for (let attempt = 1; ; attempt++) {
    const responses = await requestBoth(urls, operation);
    const { all, late } = responses;
    const comparable = (response: JsonResponse) =>
      operation.operationId === 'listFarmTransactions'
        ? withoutFirstPrices(response, late)
        : withoutSeasonRates(response);
    const verdict = compareResponses(comparable(all), comparable(late));
    if (verdict !== undefined) return { verdict, responses };
    // on a busy machine the servers may never be at the same slot
    if (!isSameSlot(responses)) misses += 1;
    if (misses === MAX_MISSES) return { verdict: 'missed', responses };
    if (attempt === MAX_TRIES) return { verdict, responses };
    await sleep(RETRY_MS);
  }
}

test('an instance on a cluster with a past answers exactly, or says that history is incomplete', async () => {
  const servers = await startBoth();
  const { all, late } = servers;
  const document = await getJson<OpenApi>(all, '/openapi.json');
  const verdicts = new Map<string, string>();
  for (const subject of await listSubjects(servers)) {
    for (const operation of comparableRequests(document, subject)) {
      const { verdict, responses } = await judge([all, late], operation);
      if (verdict === undefined) {
        throw new Error(`wrong: ${JSON.stringify(describe(operation, responses))}`);
      }
      verdicts.set(operation.operationId, verdict);
    }
  }
  const missed = [...verdicts.values()].filter((verdict) => verdict === 'missed');
  expect(missed.length).toBeLessThan(verdicts.size / 4);
  // the comparison covers both kinds
  expect([...verdicts.values()]).toEqual(expect.arrayContaining(['exact', 'incomplete']));
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Tokens are ordered by a figure of the last minute. Epochs are those of the node, whatever the instance recorded. */
const comparableRequests = (document: OpenApi, subject: Subject): OperationRequest[] =>
  listOperationRequests(document, subject)
    .filter(({ operationId }) => operationId !== 'listEpochs')
    .map((each) =>
      each.operationId === 'listTokens' ? { ...each, path: `${each.path}?mint=${USDC}` } : each,
    );

const describe = ({ operationId, path }: OperationRequest, { all, late }: Responses) => ({
  operationId,
  path,
  statuses: [all.status, late.status],
  gaps: late.headers.get('x-gaps'),
  all: JSON.stringify(all.body).slice(0, 500),
  late: JSON.stringify(late.body).slice(0, 500),
});

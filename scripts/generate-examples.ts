import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import type { OperationExample } from '#server/http/openapi-document.ts';
import type { OperationRequest } from '../test/support/day-one/operation-requests.ts';
import { mainnetTransaction } from '../test/support/mainnet/mainnet-fixtures.ts';
import {
  type LandedTransaction,
  withFundedWallet,
  withLandedTransaction,
  withLiquidatableLoans,
} from './openapi/cluster-variants.ts';
import { createExampleCluster } from './openapi/example-cluster.ts';
import {
  exampleAddresses,
  exitRequest,
  liquidationRequests,
  listExampleRequests,
} from './openapi/example-requests.ts';
import { shapeOf } from './openapi/example-shape.ts';
import { type HookRequest, readHookExamples } from './openapi/hook-examples.ts';
import { readRequestParameters } from './openapi/request-parameters.ts';
import { createScriptApp, type OpenApi } from './openapi/served-document.ts';
import { truncateExample } from './openapi/truncate-example.ts';

/**
 * Writes one request and response per operation, of a simulated cluster, for the OpenAPI document, and the addresses
 * in them by their role. With --check, fails if a response no longer has the stored form.
 */
const FILE = new URL('../packages/server/generated/openapi-examples.json', import.meta.url);
/** Of the recorded repayment. */
const LANDED_SIGNATURE =
  'eFyf8gi9fnZZDUb2LPpGLrufYB4HCk3UWcmNz3tMRAMGG4qscAkoSArwCx7WRQehrodP97KsqhnA4h1dANth5HB';
const ADDRESSES = new URL('../packages/server/generated/example-addresses.json', import.meta.url);

const { cluster, metadata, close } = await createExampleCluster();
const { demo } = metadata;
const nowMs = Number(cluster.reader.at().unix) * 1000;
const { key, record } = generateApiKey('examples', null, nowMs);
const app = appOf(cluster);
const liquidatable = appOf(withLiquidatableLoans(cluster, demo.market));
const funded = appOf(withFundedWallet(cluster, demo.market, demo.wallet));
const landed = appOf(
  withLandedTransaction(cluster, mainnetTransaction('repay') as LandedTransaction),
);
const document = (await app.inject('/openapi.json')).json<OpenApi>();
const examples = await readExamples();
const addresses = exampleAddresses(metadata, cluster.reader);
await app.close();
await liquidatable.close();
await funded.close();
await landed.close();
await close();
report();

function appOf(served: typeof cluster) {
  const clusters = createClusters([served]);
  return createScriptApp({
    clusters,
    keys: createApiKeys([record]),
    tokens: new ClusterTokens(clusters),
    version: '0.1.0',
    demo: () => ({
      addresses: { ...demo, rpcUrl: 'http://127.0.0.1:8899', wsUrl: 'ws://127.0.0.1:8900' },
      keysFolder: '.tidegate/localnet/keys',
    }),
    clock: () => nowMs,
  });
}

async function readExamples(): Promise<Record<string, OperationExample>> {
  const found: Record<string, OperationExample> = {};
  for (const request of listExampleRequests(document, metadata, cluster.reader)) {
    found[request.operationId] = await readExample(request);
  }
  for (const request of liquidationRequests(demo)) {
    found[request.operationId] = await readExample(request, liquidatable);
  }
  found['planLoanExit'] = await readExample(exitRequest(demo), funded);
  found['decodeTransaction'] = await readExample({
    operationId: 'decodeTransaction',
    path: '/ktx/decode',
    body: found['buildLendDepositTx']?.response,
  });
  found['getTransactionOutcome'] = await readExample(
    { operationId: 'getTransactionOutcome', path: `/transactions/${LANDED_SIGNATURE}` },
    landed,
  );
  found['suggestPriorityFee'] = await readExample({
    operationId: 'suggestPriorityFee',
    path: '/ktx/priority-fee',
    body: { ...Object(found['buildLendDepositTx']?.response), computeUnitLimit: 350_000 },
  });
  found['getLendingRewardHistory'] = await readExample({
    operationId: 'getLendingRewardHistory',
    path: rewardHistoryPath(found['listLendingRewards']?.response),
  });
  found['streamTransactions'] = streamExample(found['listRecentEvents']?.response);
  Object.assign(found, await readHookExamples(injectWithKey, demo.obligation));
  const ids = operations().map(({ operationId }) => operationId);
  return Object.fromEntries(ids.map((id) => [id, found[id] ?? missing(id)]));
}

/** A stream does not end, so its example is made of an event that is listed. */
function streamExample(recent: unknown): OperationExample {
  const { wallet, ...event } = Object(recent).events[0];
  const data = { ...event, wallet, slot: '1', market: null, obligation: null, farm: null };
  const text = ['id: 1-1-0-00-0', 'event: transaction', `data: ${JSON.stringify(data)}`];
  return { parameters: { wallet }, response: `retry: 1000\n\n${text.join('\n')}\n\n` };
}

async function injectWithKey({ method, path, body }: HookRequest): Promise<unknown> {
  const headers = { 'x-api-key': key };
  const response = await app.inject({ method, url: path, headers, ...(body && { payload: body }) });
  if (response.statusCode === 200) return response.json();
  throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
}

/** The history of the first season reward. */
function rewardHistoryPath(rewards: unknown): string {
  const [first] = rewards as readonly Readonly<Record<string, string | null>>[];
  const { depositReserve, borrowReserve } = first ?? {};
  return `/klend/${depositReserve ?? ZERO_ADDRESS}/${borrowReserve ?? ZERO_ADDRESS}/rewards/history`;
}

async function readExample(
  { operationId, path, body }: OperationRequest,
  served = app,
): Promise<OperationExample> {
  const method = body === undefined ? 'GET' : 'POST';
  const payload = body as object | undefined;
  const response = await served.inject({ method, url: path, ...(payload && { payload }) });
  if (response.statusCode !== 200) {
    throw new Error(`${operationId} ${path}: ${response.statusCode} ${response.body}`);
  }
  const isJson = String(response.headers['content-type']).includes('json');
  const value: unknown = isJson ? response.json() : response.body;
  const parameters = readRequestParameters(document, operationId, path);
  return {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(body !== undefined && { body }),
    response: shorten(operationId, value),
  };
}

function shorten(operationId: string, value: unknown): unknown {
  if (operationId === 'getOpenApi') return pick(value, ['openapi', 'info', 'servers']);
  if (operationId === 'getStatus') return { ...Object(value), node: 'v20.19.0' };
  if (operationId === 'getMetrics')
    return String(value).split('\n').filter(isTokenMetric).join('\n');
  return truncateExample(value, schemaOf(operationId), document);
}

/** The only metric that does not depend on the process. */
function isTokenMetric(line: string): boolean {
  return line.includes('tidegate_tokens');
}

function pick(value: unknown, keys: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(Object(value)).filter(([key]) => keys.includes(key)));
}

function operations() {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

function schemaOf(operationId: string): unknown {
  const operation = operations().find((each) => each.operationId === operationId);
  const responses = operation?.['responses'] as Record<string, { content?: object }> | undefined;
  const [content] = Object.values(responses?.['200']?.content ?? {});
  return Object(content).schema;
}

function missing(operationId: string): never {
  throw new Error(`${operationId} has no example request`);
}

function report(): void {
  const text = `${JSON.stringify(examples, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
    writeFileSync(ADDRESSES, `${JSON.stringify(addresses, null, 2)}\n`);
    return;
  }
  const stored: unknown = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const current = new Set(shapeOf(examples));
  const known = new Set(shapeOf(stored));
  const changes = [
    ...[...known].filter((line) => !current.has(line)).map((line) => `- ${line}`),
    ...[...current].filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ];
  if (changes.length === 0) return;
  console.error([...changes, 'Examples are out of date. Run npm run examples.'].join('\n'));
  process.exitCode = 1;
}

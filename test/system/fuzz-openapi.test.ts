import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_REQUEST_COUNT, FUZZ_SEED_NUMBER } from '../support/fuzz/fuzz-settings.ts';
import {
  createKeepAliveClient,
  type FuzzResponse,
  type KeepAliveClient,
} from '../support/fuzz/keep-alive-client.ts';
import { listOperations, type Operation } from '../support/fuzz/openapi-operations.ts';
import { type FuzzRequest, requestsOfAll } from '../support/fuzz/openapi-requests.ts';
import { readRequestPool } from '../support/fuzz/request-pool.ts';
import { createResponseCheck, type ResponseCheck } from '../support/fuzz/response-checks.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { assertAsyncProperty } from '../support/properties/assert-property.ts';

const CONNECTIONS = 4;
/** Requests that are sent at the same time. */
const BATCH = 8;
/** The number of requests within which every operation succeeds at least once. */
const ENOUGH = 8_000;
const ROUNDS = [0, 1, 2, 3].map((round) => FUZZ_SEED_NUMBER + round);

const onEnd = fileScope();
let operations: readonly Operation[];
let requests: fc.Arbitrary<FuzzRequest>;
let check: ResponseCheck;
let client: KeepAliveClient;

beforeAll(async () => {
  const { url, dataDir } = await startServer({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' }, onEnd);
  await waitUntilReady(url);
  const pool = await readRequestPool(url, dataDir);
  operations = listOperations(pool.document).filter(({ needsKey }) => !needsKey);
  requests = requestsOfAll(operations, pool);
  check = createResponseCheck(pool.document);
  client = createKeepAliveClient(url, CONNECTIONS);
  onEnd(client.close);
});

type Exchange = { readonly request: FuzzRequest; readonly response: FuzzResponse };

const succeeded = new Set<string>();
const countByStatus = new Map<number, number>();
let slowest: Exchange[] = [];

/** Times are printed, never checked. */
function record(exchange: Exchange): void {
  const { status } = exchange.response;
  countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1);
  if (status === 200) succeeded.add(exchange.request.operation.id);
  const [fastest] = slowest;
  if (slowest.length >= 10 && fastest && fastest.response.ms > exchange.response.ms) return;
  slowest = [...slowest, exchange].sort((a, b) => a.response.ms - b.response.ms).slice(-10);
}

const describe = ({ method, target, headers, body = '' }: FuzzRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${body.slice(0, 300)}`;

afterAll(() => {
  const counts = [...countByStatus].sort(([a], [b]) => a - b);
  console.log(`responses by status: ${JSON.stringify(counts)}; the slowest requests:`);
  for (const { request, response } of slowest.toReversed()) {
    console.log(`${response.ms.toFixed(0)} ms, ${response.status}: ${describe(request)}`);
  }
});

async function findProblems(request: FuzzRequest): Promise<string[]> {
  const response = await client.send(request);
  record({ request, response });
  const problem = check(request, response);
  return problem === undefined ? [] : [`${describe(request)} ${problem}`];
}

const rounds = new Map<number, Promise<void>>();

/** Sends the requests of a seed, once for all tests. */
function runRound(seed: number): Promise<void> {
  const batches = fc.array(requests, { minLength: BATCH, maxLength: BATCH });
  const round =
    rounds.get(seed) ??
    assertAsyncProperty(
      fc.asyncProperty(batches, async (batch) => {
        expect((await Promise.all(batch.map(findProblems))).flat()).toEqual([]);
      }),
      Math.ceil(FUZZ_REQUEST_COUNT / ROUNDS.length / BATCH),
      { seed },
    );
  rounds.set(seed, round);
  return round;
}

test.each(ROUNDS)(
  `requests generated from the OpenAPI document get documented responses: ${FUZZ_REQUEST_COUNT / ROUNDS.length} of FUZZ_SEED=%i`,
  runRound,
);

test.runIf(FUZZ_REQUEST_COUNT >= ENOUGH)(
  'most operations of the document succeeded at least once',
  async () => {
    for (const seed of ROUNDS) await runRound(seed);
    // some need a loan or position in a state that the simulated day may not have
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.8);
  },
);

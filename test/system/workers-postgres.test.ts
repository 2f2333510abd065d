import { Agent, get as httpGet } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { findPostgresServer } from '../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../support/history/test-databases.ts';
import {
  simulatedDataDir,
  startServerAsIs,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

const postgres = await findPostgresServer();
const WORKERS = 2;

type Answer = {
  readonly status: number;
  readonly body: string;
  readonly gaps: string | undefined;
};

/** On a connection of its own, so that the workers take turns. */
function get(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { agent: new Agent(), headers: { connection: 'close' } };
    httpGet(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      const { 'x-gaps': header } = response.headers;
      const gaps = header === undefined ? undefined : String(header);
      readText(response).then((body) => resolve({ status, body, gaps }), reject);
    }).once('error', reject);
  });
}

const sixTimes = (url: string) => Promise.all(Array.from({ length: 6 }, () => get(url)));

test.skipIf(postgres === undefined)(
  'workers read the history from PostgreSQL, and only their primary process writes it',
  async () => {
    const { location, remove } = await createPostgresDatabase(postgres ?? '');
    onTestFinished(remove);
    const DATABASE_URL = location.url ?? '';
    const DATA_DIR = await simulatedDataDir();
    const { url } = await startServerAsIs({ DATA_DIR, DATABASE_URL, WORKERS: `${WORKERS}` });
    await waitUntilReady(url);
    const readyWorkers = async () => {
      const { body } = await get(`${url}/metrics`);
      return body.match(/^tidegate_ready\{worker="\d"\} 1$/gm)?.length;
    };
    await expect.poll(readyWorkers).toBe(WORKERS);

    const [market] = JSON.parse((await get(`${url}/v2/svc-market`)).body);
    const path = `/svc-market/${market.lendingMarket}/metrics/history`;
    // a range up to now would end with the current state, which is not a sample
    const firstTime = async () => {
      const end = new Date(Date.now() - 5_000).toISOString();
      const { body } = await get(`${url}${path}?end=${end}`);
      return /"timestamp":"([^"]+)"/.exec(body)?.[1];
    };
    // of the first sample only, so that later ones change nothing; another worker may not know it yet
    const sampledAt = Date.parse(await waitUntil(firstTime, 'the first sample is stored'));
    const range = `start=${new Date(sampledAt).toISOString()}&end=${new Date(sampledAt + 500).toISOString()}`;
    // a worker may learn of the sample a moment later than another
    const differentBodies = async () => {
      const answers = await sixTimes(`${url}${path}?${range}`);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      return [...new Set(answers.map(({ body }) => body))];
    };
    const sample = new Date(sampledAt).toISOString();
    await expect.poll(differentBodies).toEqual([expect.stringContaining(sample)]);
    const { body: metrics } = await get(`${url}/metrics`);
    for (const worker of [1, 2]) {
      expect(metrics).toMatch(
        new RegExp(`_count\\{worker="${worker}",method="GET",route="/svc-market/[^"]*history"`),
      );
    }

    // nothing was recorded before the first start, and every worker says so
    const dayBefore = new Date(sampledAt - 86_400_000).toISOString();
    const longer = `start=${dayBefore}&end=${new Date(sampledAt + 500).toISOString()}`;
    const gaps = (await sixTimes(`${url}${path}?${longer}`)).map((each) => each.gaps);
    expect(gaps).toEqual(new Array(6).fill(expect.stringContaining(dayBefore.slice(0, 10))));

    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    onTestFinished(() => client.end());
    const findWriters = async () => {
      const { rows } = await client.query(
        `select distinct pid from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())
         and classid = 7404131`,
      );
      return rows;
    };
    await expect.poll(findWriters, { message: 'one writer' }).toHaveLength(1);
    const { rows: samples } = await client.query(
      'select distinct slot from tidegate_localnet.market_minute',
    );
    expect(samples.length).toBeGreaterThan(0);
  },
);

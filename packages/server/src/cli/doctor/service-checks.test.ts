import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import {
  findPostgresServer,
  runStatements,
} from '../../../../../test/support/history/postgres-server.ts';
import { createPostgresDatabase } from '../../../../../test/support/history/test-databases.ts';
import { openHistory } from '../../history/open-history.ts';
import { checkDatabase, type DatabaseTarget } from './database-checks.ts';
import { checkRedis } from './redis-checks.ts';

/** Never reached by a server that responds. */
const timeoutMs = 30_000;
const server = await findPostgresServer();
const redis = 'redis://127.0.0.1:6379';
const hasRedis = (await checkRedis(redis, 2_000))[0]?.status === 'ok';

const target = (url: string, change: Partial<DatabaseTarget> = {}): DatabaseTarget => ({
  url,
  setting: 'DATABASE_URL',
  clusters: ['mainnet-beta'],
  timeoutMs,
  ...change,
});

async function freshDatabase(): Promise<string> {
  const { location, remove } = await createPostgresDatabase(server ?? '');
  onTestFinished(remove);
  return location.url ?? '';
}

async function openSchema(url: string): Promise<void> {
  const schema = 'tidegate_mainnet_beta';
  const history = await openHistory({ url, schema, folder: '', log: silentLog });
  await history.close();
}

const problems = async (checked: ReturnType<typeof checkDatabase>) =>
  (await checked).filter(({ status }) => status === 'problem').map(({ message }) => message);

describe.skipIf(server === undefined)('PostgreSQL', () => {
  test('an empty and a migrated database are ok', async () => {
    const url = await freshDatabase();
    const empty = await checkDatabase(target(url));
    expect(await problems(Promise.resolve(empty))).toEqual([]);
    expect(empty.at(-1)?.message).toContain('are created at the first start');
    await openSchema(url);
    const migrated = (await checkDatabase(target(url))).map(({ message }) => message);
    expect(migrated).toContain('The schema tidegate_mainnet_beta has all 8 migrations.');
    expect(migrated).toContain('The schema tidegate_mainnet_beta is the history of mainnet-beta.');
  });

  test('a later migration and the history of another cluster are problems', async () => {
    const url = await freshDatabase();
    await openSchema(url);
    await runStatements(
      url,
      `insert into tidegate_mainnet_beta.migration values (99, '9999-later')`,
      `insert into tidegate_mainnet_beta.origin values ('play', 'played with seed x')`,
    );
    expect(await problems(checkDatabase(target(url)))).toEqual([
      'A later release has migrated tidegate_mainnet_beta (9999-later)',
      'The schema tidegate_mainnet_beta has a history that was played with seed x',
    ]);
  });

  test('a role without permissions is a problem', async () => {
    const url = await freshDatabase();
    const role = `doctor_${process.pid}_${Math.trunc(performance.now())}`;
    await runStatements(url, `create role ${role} login`);
    onTestFinished(() => runStatements(url, `drop owned by ${role}`, `drop role ${role}`));
    const asRole = url.replace(/\/\/[^@]*@/, `//${role}@`);
    expect(await problems(checkDatabase(target(asRole)))).toEqual([
      'The role cannot create the schema tidegate_mainnet_beta',
    ]);
    await openSchema(url);
    await runStatements(url, `grant usage on schema tidegate_mainnet_beta to ${role}`);
    expect(await problems(checkDatabase(target(asRole)))).toEqual([
      'The role lacks permissions on the tables of tidegate_mainnet_beta',
    ]);
    await runStatements(
      url,
      `grant select on all tables in schema tidegate_mainnet_beta to ${role}`,
    );
    expect(await problems(checkDatabase(target(asRole)))).toEqual([
      'The role lacks permissions on the tables of tidegate_mainnet_beta',
    ]);
    const replica = target(asRole, { setting: 'READ_DATABASE_URL' });
    expect(await problems(checkDatabase(replica))).toEqual([]);
  });

  test('a replica without the schema is a problem', async () => {
    const checked = checkDatabase(target(await freshDatabase(), { setting: 'READ_DATABASE_URL' }));
    expect(await problems(checked)).toEqual([
      'tidegate_mainnet_beta has no tables that the role can use',
    ]);
  });
});

test('a database that cannot be reached is a problem', async () => {
  const [finding, ...rest] = await checkDatabase(target('postgres://u:p@127.0.0.1:1/x'));
  expect(finding).toMatchObject({ name: 'database', status: 'problem' });
  expect(finding?.message).toContain('ECONNREFUSED');
  expect(rest).toEqual([]);
});

test.skipIf(!hasRedis)('a Redis server is ok', async () => {
  const [finding] = await checkRedis(redis, timeoutMs);
  expect(finding?.message).toMatch(/^Redis \d+\.\d+\.\d+ responds\.$/);
});

/** A server that replies to all commands at once. */
async function fakeRedis(reply: string): Promise<{ url: string; received: () => string }> {
  let received = '';
  const fake = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      received = String(data);
      // in two packets, so that the reader must join them
      socket.write(reply.slice(0, 7), () => socket.write(reply.slice(7)));
    });
  });
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    fake.close();
  });
  const { port } = fake.address() as AddressInfo;
  return { url: `redis://user:s%20cret@127.0.0.1:${port}`, received: () => received };
}

const infoReply = (...fields: string[]) => {
  const text = fields.map((line) => `${line}\r\n`).join('');
  return `+OK\r\n+PONG\r\n$${text.length}\r\n${text}\r\n`;
};

test('credentials are sent, and a refusal is a problem', async () => {
  const { url, received } = await fakeRedis('-WRONGPASS invalid username-password pair\r\n');
  const [finding] = await checkRedis(url, timeoutMs);
  expect(finding).toMatchObject({
    status: 'problem',
    message: 'It refuses the connection: WRONGPASS invalid username-password pair',
  });
  expect(received()).toContain('*3\r\n$4\r\nAUTH\r\n$4\r\nuser\r\n$6\r\ns cret\r\n');
});

test('an old server, a replica and eviction of any key are reported', async () => {
  const info = infoReply(
    'redis_version:5.0.1',
    'role:slave',
    'maxmemory:1000',
    'maxmemory_policy:allkeys-lru',
  );
  const findings = await checkRedis((await fakeRedis(info)).url, timeoutMs);
  expect(findings.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    'problem: Redis 5.0.1 is too old',
    'problem: It is a replica and accepts no writes',
    'warning: Redis may delete any key (allkeys-lru)',
  ]);
  const good = infoReply('redis_version:7.2.4', 'role:master', 'maxmemory:0');
  expect(await checkRedis((await fakeRedis(good)).url, timeoutMs)).toEqual([
    { name: 'redis', status: 'ok', message: 'Redis 7.2.4 responds.' },
  ]);
});

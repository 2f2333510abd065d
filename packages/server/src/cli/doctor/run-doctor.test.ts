import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { temporaryFolder } from '../../../../../test/support/processes/run-tidegate.ts';
import { readSettings } from '../settings/settings.ts';
import { checkDataFolder } from './disk-checks.ts';
import { findingsJson, formatFindings, ok, problem, warning } from './finding.ts';
import { checkPorts } from './port-checks.ts';
import { checkMemory, checkNode, checkOpenFiles } from './process-checks.ts';
import { redactFindings } from './redact.ts';
import { runDoctor } from './run-doctor.ts';
import { checkEndpointSettings, checkExposure, checkSettings } from './setting-checks.ts';

const configOf = (env: Record<string, string>) => readSettings({}, env).config;

test('each finding is one line with what to change', () => {
  const findings = [
    ok('node', 'Node.js 20.'),
    warning('disk', '1.0 GB are free', 'Free space.'),
    problem('port 80', 'It is in use.', 'Change PORT.'),
  ];
  expect(formatFindings(findings)).toBe(
    [
      'ok       node     Node.js 20.',
      'warning  disk     1.0 GB are free. Free space.',
      'problem  port 80  It is in use. Change PORT.',
      '',
      '1 problems, 1 warnings, 1 ok',
    ].join('\n'),
  );
  expect(JSON.parse(findingsJson(findings))).toEqual({ ok: false, checks: findings });
});

test('an invalid setting is named without its value', () => {
  const { invalid } = readSettings(
    {},
    { DATABASE_URL: 'mysql://u:hunter22@h/d', PORT: 'x', LOG_LEVEL: 'info' },
  );
  const findings = checkSettings(invalid);
  expect(findings.map(({ message }) => message)).toEqual([
    'PORT has an invalid value',
    'DATABASE_URL has an invalid value',
  ]);
  expect(JSON.stringify(findings)).not.toContain('hunter22');
  expect(checkSettings([])[0]?.status).toBe('ok');
});

test('credentials never reach the output', async () => {
  const env = {
    RPC_URL: 'http://127.0.0.1:1/rpc-path-key?api-key=query-key',
    WS_URL: 'ws://ws-user:ws-password@127.0.0.1:1/',
    GEYSER_TOKEN: 'geyser-token',
    DATABASE_URL: 'postgres://user:data%20base-pw@127.0.0.1:1/name',
    READ_DATABASE_URL: 'postgres://127.0.0.1:1/name?password=read-pw',
    REDIS_URL: 'redis://:redis-pw@127.0.0.1:1',
    DATA_DIR: temporaryFolder(),
    PORT: '0',
  };
  const { config, invalid } = readSettings({}, env);
  const options = { invalid, log: silentLog, clock: Date.now, timeoutMs: 30_000 };
  const findings = await runDoctor(config, options);
  const failed = findings.filter(({ status }) => status === 'problem').map(({ name }) => name);
  expect(failed).toEqual(['endpoint 127.0.0.1:1', 'database', 'read database', 'redis']);
  const secrets = ['rpc-path-key', 'query-key', 'ws-password', 'geyser-token', 'data%20base-pw'];
  for (const secret of [...secrets, 'data base-pw', 'read-pw', 'redis-pw']) {
    expect(formatFindings(findings)).not.toContain(secret);
    const leaking = [problem('x', `error with ${secret}`, `see ${secret}`)];
    expect(JSON.stringify(redactFindings(leaking, config))).not.toContain(secret);
  }
});

test('a public server without a limit or a trusted proxy is a warning', () => {
  const statuses = (env: Record<string, string>) =>
    checkExposure(configOf(env)).map(({ status }) => status);
  expect(statuses({})).toEqual(['ok']);
  expect(statuses({ HOST: '0.0.0.0', RATE_LIMIT: 'off' })).toEqual(['warning', 'warning']);
  expect(statuses({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' })).toEqual(['ok']);
});

test('endpoints without TLS or in another number are reported', () => {
  const messages = (env: Record<string, string>) =>
    checkEndpointSettings(configOf(env)).map(({ message }) => message);
  expect(messages({ RPC_URL: 'http://127.0.0.1:8899,http://10.0.0.1/,http://node:8899' })).toEqual(
    [],
  );
  expect(
    messages({ RPC_URL: 'http://rpc.example/', WS_URL: 'wss://a.example,wss://b.example' }),
  ).toEqual(['WS_URL has 2 addresses and RPC_URL has 1', 'RPC_URL has rpc.example without TLS']);
});

test('limits of the process are compared with what the server needs', () => {
  expect(checkNode('20.18.0').status).toBe('problem');
  expect(checkNode('23.1.0').status).toBe('warning');
  expect(checkNode('20.19.0').status).toBe('ok');
  expect(checkMemory({ bytes: 300e6, heapLimitBytes: 200e6 }).status).toBe('problem');
  expect(checkMemory({ bytes: 900e6, heapLimitBytes: 200e6 }).status).toBe('warning');
  expect(checkMemory({ bytes: 2e9, heapLimitBytes: 4e9 }).change).toContain('max-old-space-size');
  expect(checkMemory({ bytes: 8e9, heapLimitBytes: 4e9 }).status).toBe('ok');
  expect(checkOpenFiles(256)[0]?.status).toBe('problem');
  expect(checkOpenFiles(1_024)[0]?.status).toBe('warning');
  expect(checkOpenFiles(65_536)[0]?.status).toBe('ok');
  expect(checkOpenFiles(undefined)).toEqual([]);
});

test('the data folder is checked, and one that is missing is created later', async () => {
  const folder = temporaryFolder();
  const check = async (dataDir: string) =>
    (await checkDataFolder(configOf({ DATA_DIR: dataDir }))).map(
      ({ name, status, message }) => `${status} ${name}: ${message}`,
    );
  expect(await check(folder)).toContain(`ok disk: ${folder} can be written.`);
  expect(await check(join(folder, 'a', 'b'))).toEqual([
    `ok disk: DATA_DIR does not exist and is created in ${folder}.`,
  ]);
  writeFileSync(join(folder, 'file'), '');
  const [notFolder] = await check(join(folder, 'file'));
  expect(notFolder).toMatch(/^problem disk: .*ENOTDIR/);
  mkdirSync(join(folder, 'history/devnet/database'), { recursive: true });
  const key = {
    id: 'a',
    name: 'b',
    salt: 'c',
    hash: 'd',
    createdAt: 'e',
    revokedAt: null,
    limit: null,
  };
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [key] }));
  chmodSync(join(folder, 'keys.json'), 0o644);
  const findings = await check(folder);
  expect(findings).toContain('ok embedded database: DATA_DIR has the history of devnet.');
  expect(findings.at(-1)).toMatch(/^warning keys: Others can read/);
  writeFileSync(join(folder, 'keys.json'), '{');
  expect((await check(folder)).at(-1)).toMatch(/^problem keys: /);
});

test('a default port in use is a warning', async () => {
  const server = createServer();
  server.listen(8899, '127.0.0.1');
  onTestFinished(() => void server.close());
  // another process may have it
  await once(server, 'listening').catch(() => undefined);
  const findings = await checkPorts(configOf({ PORT: '0' }));
  expect(findings.find(({ name }) => name === 'port 8899')).toMatchObject({
    status: 'warning',
    message: '127.0.0.1:8899 is in use, so the server uses the next free port',
  });
  const set = await checkPorts(configOf({ PORT: '0', LOCALNET_RPC_PORT: '8899' }));
  expect(set.find(({ name }) => name === 'port 8899')?.status).toBe('problem');
});

test('a port in use is a problem', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  server.on('connection', (socket) => socket.end());
  const check = async (env: Record<string, string>) =>
    (await checkPorts(configOf({ RPC_URL: 'http://127.0.0.1:1', ...env }))).map(
      ({ status }) => status,
    );
  expect(await check({ PORT: `${port}` })).toEqual(['problem']);
  expect(await check({ PORT: '0' })).toEqual(['ok']);
  expect(await check({ PORT: '0', HOST: '192.0.2.1' })).toEqual(['ok']);
  expect(await check({ PORT: '9', HOST: '192.0.2.1' })).toEqual(['problem']);
  expect(await check({ PORT: '0', RPC_URL: '', LOCALNET_RPC_PORT: `${port}` })).toContain(
    'problem',
  );
});

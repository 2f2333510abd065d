import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type RunningServer,
  runTidegate,
  startServer,
  temporaryFolder,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
/** The folder of the server that all tests share. */
const served = { DATA_DIR: '' };
let server: RunningServer;
/** A key that existed when the server started. */
let oldKey = '';

beforeAll(async () => {
  served.DATA_DIR = temporaryFolder(onEnd);
  oldKey = (await runTidegate(['keys', 'create', '--name', 'old'], served)).out.trim();
  server = await startServer(served, onEnd);
});

test('a running server applies created and revoked keys', async () => {
  const env = served;
  const { url } = server;
  const statusWith = async (key: string) =>
    (await fetch(`${url}/tokens-api/tokens`, { headers: { 'x-api-key': key } })).status;

  const created = await runTidegate(
    ['keys', 'create', '--name', 'my app', '--limit', '50/1m'],
    env,
  );
  const key = created.out.trim();
  expect(created.code).toBe(0);
  expect(key).toMatch(/^tg_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
  const path = join(env.DATA_DIR, 'keys.json');
  expect(created.err).toBe(
    `Store this key now: only its hash is saved, so it is not shown again.\nSaved in ${path}.\n`,
  );
  await expect.poll(() => statusWith(key)).toBe(200);
  const { headers } = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${key}` } });
  expect(headers.get('ratelimit-policy')).toBe('"key";q=50;w=60');

  const id = key.slice(3, 15);
  expect(readFileSync(path, 'utf8')).not.toContain(key.slice(16));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const listed = await runTidegate(['keys', 'list'], env);
  expect(listed.out).toMatch(
    new RegExp(`^ID +NAME +LIMIT +CREATED +STATE\n.* old .*\n${id} +my app +50/1m +\\S+ +valid\n$`),
  );
  expect(listed.out).not.toContain(key.slice(16));

  expect((await runTidegate(['keys', 'revoke', id], env)).out).toBe(`Revoked ${id}.\n`);
  await expect.poll(() => statusWith(key)).toBe(401);
  expect((await runTidegate(['keys', 'list'], env)).out).toContain('revoked 20');
});

test('a malformed key file fails the start and is ignored by a running server', async () => {
  const env = served;
  const path = join(env.DATA_DIR, 'keys.json');
  const { url, out } = server;
  const headers = { 'x-api-key': oldKey };
  const status = async () => (await fetch(`${url}/health`, { headers })).status;
  expect(await status()).toBe(200);
  const original = readFileSync(path);
  onTestFinished(() => writeFileSync(path, original));
  writeFileSync(path, '{"keys":[{');
  await expect.poll(out).toContain('key file not re-read');
  expect(await status()).toBe(200);

  const restarted = await runTidegate(['serve', '--port', '0'], env);
  expect([restarted.code, restarted.err]).toEqual([
    1,
    `tidegate: The API key file ${path} is invalid: it is not JSON. Fix the file or remove it.\n`,
  ]);
  writeFileSync(path, '{"keys":[{"id":5}]}');
  expect((await runTidegate(['keys', 'list'], env)).err).toContain(
    'it does not match the key file schema',
  );
});

test('a key for a data folder that did not exist says so', async () => {
  const env = { DATA_DIR: join(temporaryFolder(), 'new') };
  const created = await runTidegate(['keys', 'create'], env);
  expect(created.err.split('\n').slice(1)).toEqual([
    `Saved in ${env.DATA_DIR}/keys.json.`,
    'DATA_DIR did not exist and was created. The key works for servers with the same DATA_DIR.',
    '',
  ]);
  const second = await runTidegate(['keys', 'create'], env);
  expect(second.err).not.toContain('did not exist');
});

test('keys created at the same time are all stored', async () => {
  const env = { DATA_DIR: temporaryFolder() };
  const results = await Promise.all(
    Array.from({ length: 6 }, () => runTidegate(['keys', 'create'], env)),
  );
  expect(results.map((result) => result.code)).toEqual(new Array(6).fill(0));
  const content = JSON.parse(readFileSync(join(env.DATA_DIR, 'keys.json'), 'utf8'));
  expect(content.keys.map((record: { id: string }) => record.id).sort()).toEqual(
    results.map((result) => result.out.slice(3, 15)).sort(),
  );
});

test('every error of a keys command is one line', async () => {
  const env = { DATA_DIR: temporaryFolder() };
  for (const [args, message] of [
    [
      ['keys'],
      'tidegate: "keys" needs a subcommand: create, list, revoke. Run tidegate keys --help',
    ],
    [
      ['keys', 'revoke'],
      'tidegate: Missing argument ID. Run tidegate keys revoke --help for usage.',
    ],
    [
      ['keys', 'revoke', 'nope'],
      'tidegate: The API key nope does not exist. Run tidegate keys list to list all keys.',
    ],
    [
      ['keys', 'create', '--limit', 'lots'],
      'tidegate: --limit is "lots". It accepts a limit such as',
    ],
    [['nope'], 'tidegate: Unknown command "nope". Run tidegate --help for usage.'],
  ] as const) {
    const { code, err } = await runTidegate(args, env);
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    expect(err).toContain(message);
  }
  expect((await runTidegate(['keys', 'list'], env)).out).toBe(
    'No keys. Create one with: tidegate keys create --name NAME\n',
  );
});

import { beforeAll, expect, test } from 'vitest';
import { hasSignatureOf, startHookReceiver } from '../support/hooks/hook-receiver.ts';
import { createTestKey, readDemo } from '../support/hooks/served-demo.ts';
import {
  type RunningServer,
  runTidegate,
  startServer,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
const env = { DATA_DIR: '', WEBHOOK_PRIVATE_ADDRESSES: 'true' };
let server: RunningServer;
let key = '';

beforeAll(async () => {
  env.DATA_DIR = temporaryFolder(onEnd);
  key = await createTestKey(env.DATA_DIR);
  server = await startServer(env, onEnd);
  await waitUntilReady(server.url);
});

const hooks = (...args: string[]) =>
  runTidegate(['hooks', ...args, '--url', server.url], {
    DATA_DIR: env.DATA_DIR,
    TIDEGATE_API_KEY: key,
  });

test('the command line creates, lists, tests, replays and removes a webhook', async () => {
  const { wallet } = await readDemo(server);
  const { received, url } = await startHookReceiver();
  expect((await hooks('list')).out).toMatch(/^No webhooks\. /);
  const added = await hooks('add', url, '--type', 'walletTransactions', '--wallet', wallet);
  expect([added.code, added.err]).toEqual([0, 'Store this secret now: it is not shown again.\n']);
  const [id = '', secret = ''] = added.out.split('\n');
  const listed = await hooks('list');
  expect(listed.out).toMatch(
    new RegExp(
      `^ID +STATE +TYPE +TRIGGER +URL\n${id} +active +walletTransactions +wallet=${wallet}`,
    ),
  );
  const tested = await hooks('test', id);
  expect(tested.out).toMatch(/^msg_[0-9a-f]{32} was delivered: 204 after \d+ ms\.\n$/);
  const delivery = tested.out.slice(0, 36);
  const log = await hooks('log', id);
  expect(log.out).toMatch(new RegExp(`^${delivery} .* test +\\d+ +delivered +1 +204$`, 'm'));
  const replayed = await hooks('replay', id, '--delivery', delivery);
  expect(replayed.out).toBe('1 delivery is sent again.\n');
  await expect.poll(() => received.map((each) => each.id)).toEqual([delivery, delivery]);
  expect(received.every((each) => hasSignatureOf(each, secret))).toBe(true);

  const rotated = (await hooks('rotate', id)).out.trim();
  await hooks('test', id);
  const newest = received.at(-1);
  expect([rotated, secret].map((each) => newest && hasSignatureOf(newest, each))).toEqual([
    true,
    true,
  ]);
  expect((await hooks('remove', id)).out).toBe(`Removed ${id}.\n`);
  expect((await hooks('list')).out).toMatch(/^No webhooks\. /);
});

test('every error of a hooks command is one line', async () => {
  const { wallet } = await readDemo(server);
  const type = ['--type', 'walletTransactions', '--wallet', wallet];
  for (const [args, message] of [
    [['add', 'ftp://example.com', ...type], 'rejects the request: url must use https'],
    [['add', 'https://example.com', '--type', 'loanHealth'], 'loanHealth needs threshold'],
    [['remove', `hook_${'0'.repeat(24)}`], 'There is no webhook hook_000'],
    [['add', 'https://example.com'], 'Missing flag --type.'],
  ] as const) {
    const { code, err } = await hooks(...args);
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    expect(err).toContain(message);
  }
  const withoutKey = await runTidegate(['hooks', 'list', '--url', server.url], {});
  expect([withoutKey.code, withoutKey.err]).toEqual([
    1,
    expect.stringContaining('needs an API key'),
  ]);
});

test('a delivery that was stored survives kill -9 and keeps its id', async () => {
  const demo = await readDemo(server);
  const { reserve } = demo.deposit;
  const { received, receiver, url } = await startHookReceiver();
  await demo.setPrice(reserve, '10');
  const subject = ['--reserve', reserve, '--direction', 'rising'];
  const trigger = ['--type', 'reservePrice', ...subject, '--threshold', '1000'];
  const [id = '', secret = ''] = (await hooks('add', url, ...trigger)).out.split('\n');
  // the first process never gets a response, so that it stores no result
  receiver.respond = () => undefined;
  await demo.setPrice(reserve, '2000');
  await expect.poll(() => received.length).toBe(1);
  const { finished, process } = server;
  process.kill('SIGKILL');
  await finished;

  receiver.respond = (_, response) => void response.writeHead(204).end();
  server = await startServer(env, onEnd);
  await expect.poll(() => received.length).toBe(2);
  const [first, second] = received;
  expect(first?.payload).toMatchObject({
    type: 'reserve.price.crossed',
    hook: id,
    data: { reserve, direction: 'rising', threshold: '1000', unit: 'USD' },
  });
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toBe(first?.body);
  expect(received.every((each) => hasSignatureOf(each, secret))).toBe(true);
  const log = async () => (await hooks('log', id)).out;
  await expect.poll(log).toMatch(new RegExp(`^${first?.id} .* delivered +1 +204$`, 'm'));
  expect(received).toHaveLength(2);
  expect((await hooks('remove', id)).code).toBe(0);
});

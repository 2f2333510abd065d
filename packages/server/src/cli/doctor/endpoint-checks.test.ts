import { expect, onTestFinished, test } from 'vitest';
import { FakeNode } from '../../../../../test/support/fakes/fake-node.ts';
import { checkEndpoints, type EndpointGroup } from './endpoint-checks.ts';
import type { Finding } from './finding.ts';
import { checkSocket } from './socket-checks.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Never reached by a node that responds. */
const timeoutMs = 30_000;

async function startNode(): Promise<FakeNode> {
  const node = await FakeNode.start();
  node.genesisHash = MAINNET;
  onTestFinished(() => node.stop());
  return node;
}

const group = (...urls: URL[]): EndpointGroup => ({
  env: 'mainnet-beta',
  setting: 'RPC_URL',
  urls,
});

/** The clock of a fake node is its slot plus ten seconds. */
const limits = (seconds: number) => ({
  commitment: 'confirmed' as const,
  maxLagSlots: 150,
  timeoutMs,
  clock: () => seconds * 1000,
});

const lines = (findings: readonly Finding[]) =>
  findings.map(({ name, status, message }) => `${status} ${name.replace(/:\d+$/, '')}: ${message}`);

/** Replies of a node that serves everything. */
function serveAll(node: FakeNode): void {
  node.reply = ({ method }) =>
    method === 'getSignaturesForAddress' || method === 'getRecentPrioritizationFees'
      ? { result: [] }
      : method === 'getTransaction'
        ? { result: null }
        : method === 'simulateTransaction'
          ? { error: { code: -32_602, message: 'invalid length 0' } }
          : undefined;
}

test('an endpoint that serves everything is ok', async () => {
  const node = await startNode();
  serveAll(node);
  const findings = await checkEndpoints(group(node.url), limits(node.slot + 12));
  expect(lines(findings)).toEqual([
    'ok endpoint 127.0.0.1: It responds for mainnet-beta.',
    'ok endpoint 127.0.0.1: It serves all 7 methods in use.',
    'ok endpoint 127.0.0.1: Its slot is 1000, 0 behind.',
    "ok clock: The clock of this machine is 2 s ahead of the cluster's.",
  ]);
});

test('missing methods are named with their effect', async () => {
  const node = await startNode();
  const [, optional] = await checkEndpoints(group(node.url), limits(1_010));
  expect(optional).toMatchObject({
    status: 'warning',
    message:
      'It does not serve getSignaturesForAddress, getTransaction, simulateTransaction, getRecentPrioritizationFees',
  });
  expect(optional?.change).toContain('there are no events; the node previews nothing');
  serveAll(node);
  const { reply } = node;
  node.reply = (request) =>
    request.method === 'getLatestBlockhash'
      ? { error: { code: -32_601, message: 'Method not found' } }
      : reply(request);
  const [, required] = await checkEndpoints(group(node.url), limits(1_010));
  expect(required).toMatchObject({
    status: 'problem',
    message: 'It does not serve getLatestBlockhash',
  });
});

test('an endpoint of another cluster is a problem', async () => {
  const node = await startNode();
  node.genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  const findings = await checkEndpoints(group(node.url), limits(1_010));
  expect(findings).toEqual([
    expect.objectContaining({ status: 'problem', change: 'Change CLUSTER or RPC_URL.' }),
  ]);
});

test('an endpoint that does not respond does not hide the others', async () => {
  const [gone, node] = [await startNode(), await startNode()];
  serveAll(node);
  const { url } = gone;
  await gone.stop();
  const findings = await checkEndpoints(group(url, node.url), limits(1_010));
  expect(findings.map(({ status }) => status)).toEqual(['problem', 'ok', 'ok', 'ok', 'ok']);
  expect(findings[0]?.message).toContain('ECONNREFUSED');
});

test('the slots of endpoints are compared, and the clock with the newest one', async () => {
  const [late, node] = [await startNode(), await startNode()];
  for (const each of [late, node]) serveAll(each);
  node.slot = 2_000;
  late.slot = 1_849;
  const findings = await checkEndpoints(group(late.url, node.url), limits(2_010));
  expect(lines(findings).slice(4)).toEqual([
    'warning endpoint 127.0.0.1: Its slot is 1849, 151 behind another endpoint',
    'ok endpoint 127.0.0.1: Its slot is 2000, 0 behind.',
    "ok clock: The clock of this machine is 0 s ahead of the cluster's.",
  ]);
});

test('a wrong clock is a warning, a very wrong one a problem', async () => {
  const node = await startNode();
  serveAll(node);
  const clockAt = async (seconds: number) =>
    (await checkEndpoints(group(node.url), limits(seconds))).at(-1)?.status;
  expect(await clockAt(1_010 + 29)).toBe('ok');
  expect(await clockAt(1_010 + 31)).toBe('warning');
  expect(await clockAt(1_010 - 31)).toBe('warning');
  expect(await clockAt(1_010 - 301)).toBe('problem');
});

test('a WebSocket is ok when the first notification arrives', async () => {
  const node = await startNode();
  const checked = checkSocket(node.wsUrl, { commitment: 'confirmed', timeoutMs });
  await expect.poll(() => node.subscriptionsOf('accountSubscribe').length).toBe(1);
  node.nextSlot();
  expect(await checked).toMatchObject({ status: 'ok' });
});

test('a WebSocket that refuses, is silent or is not there is a warning', async () => {
  const node = await startNode();
  node.reply = () => ({ error: { code: -32_601, message: 'Method not found' } });
  const { wsUrl } = node;
  const check = (notificationMs = timeoutMs) =>
    checkSocket(wsUrl, { commitment: 'confirmed', timeoutMs, notificationMs });
  expect((await check()).message).toContain('it does not support accountSubscribe');
  node.reply = () => undefined;
  expect(await check(50)).toMatchObject({
    status: 'warning',
    message: 'it sent no notification within 0.05 s',
  });
  await node.stop();
  expect((await check()).message).toContain('ECONNREFUSED');
});

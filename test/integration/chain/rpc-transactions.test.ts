import { expect, onTestFinished, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import { toSlot } from '#core/base/time.ts';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode, type Reply } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const [wallet, closed, owner] = [addressOf(1), addressOf(2), addressOf(3)];
const wire = Uint8Array.of(1, 0, 255);

/** A response of `simulateTransaction`, including optional fields. */
const simulationReply = (fields: Readonly<Record<string, unknown>> = {}, slot = 1_000): Reply => ({
  result: {
    context: { apiVersion: '2.3.7', slot },
    value: {
      accounts: [
        {
          data: ['AQID', 'base64'],
          executable: false,
          lamports: 5,
          owner,
          rentEpoch: 18_446_744_073_709_552_000,
          space: 3,
        },
        null,
      ],
      err: null,
      innerInstructions: [{ index: 2, instructions: [{ programId: owner, stackHeight: 2 }] }],
      loadedAccountsDataSize: 4_096,
      logs: ['Program X invoke [1]', 'Program X success'],
      replacementBlockhash: null,
      returnData: null,
      unitsConsumed: 150_321,
      ...fields,
    },
  },
});

async function setUp(replies: readonly Reply[] = [simulationReply()]) {
  const nodes = await Promise.all(replies.map(() => FakeNode.start()));
  nodes.forEach((node, i) => {
    node.reply = ({ method }) => (method === 'simulateTransaction' ? replies[i] : undefined);
  });
  const clock = () => 0;
  const readers = nodes.map(({ url }) =>
    createRpcSource({ url, commitment: 'confirmed', clock, maxLagSlots: 100n, timeoutMs: 60_000 }),
  );
  const options = { maxLagSlots: 100n, clock, random: () => 0, log: silentLog };
  const failover = new EndpointFailover(readers, { ...options, probeMs: 1e9, retryMs: 2 });
  onTestFinished(async () => {
    failover.close();
    await Promise.all(nodes.map((node) => node.stop()));
  });
  return { nodes, source: failover.reads };
}

const simulate = ({ source }: Awaited<ReturnType<typeof setUp>>, minSlot?: bigint) =>
  source.simulate(wire, [wallet, closed], minSlot === undefined ? undefined : toSlot(minSlot));

test('the latest blockhash has its slot and its last valid block height', async () => {
  const { nodes, source } = await setUp();
  expect(await source.getLatestBlockhash(toSlot(990n))).toEqual({
    slot: 1_000n,
    blockhash: CLOCK_SYSVAR,
    lastValidBlockHeight: 950n,
  });
  const request = nodes[0]?.requests.find(({ method }) => method === 'getLatestBlockhash');
  expect(request?.params).toEqual([{ commitment: 'confirmed', minContextSlot: 990 }]);
});

test.each([
  ['a number', { blockhash: 7, lastValidBlockHeight: 1 }],
  ['too short', { blockhash: 'abc', lastValidBlockHeight: 1 }],
  ['without a height', { blockhash: CLOCK_SYSVAR }],
  ['null', null],
])('a blockhash that is %s is rejected', async (_, value) => {
  const { nodes, source } = await setUp();
  const reply = { result: { context: { slot: 1_000 }, value } };
  for (const node of nodes) {
    node.reply = ({ method }) => (method === 'getLatestBlockhash' ? reply : undefined);
  }
  expect((await catchError(source.getLatestBlockhash()))?.code).toBe('SOURCE_UNAVAILABLE');
});

test('a blockhash that is 200 slots old is rejected', async () => {
  const { nodes, source } = await setUp();
  await source.getSlot();
  for (const node of nodes) node.slot -= 200;
  expect((await catchError(source.getLatestBlockhash()))?.code).toBe('SOURCE_LAGS');
});

test('the unsigned message is simulated unchanged and its result is parsed', async () => {
  const cluster = await setUp();
  expect(await simulate(cluster, 990n)).toEqual({
    slot: 1_000n,
    error: undefined,
    logs: ['Program X invoke [1]', 'Program X success'],
    unitsConsumed: 150_321n,
    innerInstructions: [{ index: 2, instructions: [{ programId: owner, stackHeight: 2 }] }],
    accounts: new Map([
      [wallet, { owner, lamports: 5n, data: Uint8Array.of(1, 2, 3) }],
      [closed, undefined],
    ]),
  });
  const request = cluster.nodes[0]?.requests.find(({ method }) => method === 'simulateTransaction');
  expect(request?.params).toEqual([
    'AQD/',
    {
      encoding: 'base64',
      commitment: 'confirmed',
      minContextSlot: 990,
      sigVerify: false,
      replaceRecentBlockhash: false,
      innerInstructions: true,
      accounts: { encoding: 'base64', addresses: [wallet, closed] },
    },
  ]);
});

test('lamports beyond the precision of JSON numbers are exact, even if other fields are named lamports', async () => {
  const account = (lamports: string) =>
    `{"lamports":${lamports},"owner":"${owner}","data":["","base64"],"space":0}`;
  const transfer = '{"parsed":{"info":{"lamports":99999999999999999},"type":"transfer"}}';
  const body = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":{"err":null,
    "logs":["\\"lamports\\":12345678901234567,"],"innerInstructions":[${transfer}],
    "accounts":[${account('18446744073709551615')},${account(' 9007199254740993 ')}]}}}`;
  const { accounts, logs } = await simulate(await setUp([{ body }]));
  expect([...accounts.values()].map((each) => each?.lamports)).toEqual([
    18_446_744_073_709_551_615n,
    9_007_199_254_740_993n,
  ]);
  expect(logs).toEqual(['"lamports":12345678901234567,']);
});

test('an account without lamports does not exist', async () => {
  const empty = { lamports: 0, owner, data: ['', 'base64'], space: 0 };
  const { accounts } = await simulate(await setUp([simulationReply({ accounts: [empty, null] })]));
  expect([...accounts.values()]).toEqual([undefined, undefined]);
});

test.each([
  ['a name', 'BlockhashNotFound'],
  ['an instruction and its code', { InstructionError: [3, { Custom: 6051 }] }],
])('an error that is %s is returned as is, without accounts', async (_, err) => {
  const cluster = await setUp([simulationReply({ err, accounts: [null, null] })]);
  const { error, accounts } = await simulate(cluster);
  expect(error).toEqual(err);
  expect(accounts).toEqual(new Map());
});

test('fields that the node omits are undefined', async () => {
  const absent = { unitsConsumed: undefined, innerInstructions: null, logs: null };
  const err = 'AccountNotFound';
  expect(await simulate(await setUp([simulationReply({ ...absent, err })]))).toEqual({
    slot: 1_000n,
    error: err,
    logs: [],
    unitsConsumed: undefined,
    innerInstructions: undefined,
    accounts: new Map(),
  });
});

test.each([
  ['too few accounts', simulationReply({ accounts: [null] })],
  ['too many accounts', simulationReply({ accounts: [null, null, null] })],
  ['no accounts', simulationReply({ accounts: null })],
  ['a malformed account', simulationReply({ accounts: [7, null] })],
  ['malformed compute units', simulationReply({ unitsConsumed: '7' })],
  ['a malformed log', simulationReply({ logs: [1] })],
  ['malformed inner instructions', simulationReply({ innerInstructions: {} })],
  ['no value', { result: { context: { slot: 1_000 } } }],
  ['a slot ahead of the node', simulationReply({}, 2_000)],
])('after a response with %s the request goes to another node', async (_, reply) => {
  const cluster = await setUp([reply, simulationReply()]);
  expect((await simulate(cluster)).unitsConsumed).toBe(150_321n);
  expect(cluster.nodes.map((node) => node.countRequests('simulateTransaction'))).toEqual([1, 1]);
});

test('simulation skips a node that lags or is down', async () => {
  const cluster = await setUp([simulationReply({}, 1_000), simulationReply({}, 1_001)]);
  await cluster.source.getSlot();
  for (const node of cluster.nodes) node.slot = 1_001;
  expect((await simulate(cluster, 1_001n)).slot).toBe(1_001n);
  await cluster.nodes[0]?.stop();
  expect((await simulate(cluster)).slot).toBe(1_001n);
});

test('a node without simulation fails with SOURCE_REFUSES and a readable reason', async () => {
  const rejection = { error: { code: -32601, message: 'Method not found' } };
  const failure = await catchError(simulate(await setUp([rejection])));
  expect(failure?.code).toBe('SOURCE_REFUSES');
  expect(failure?.message).toMatch(
    /: -32601 it does not support simulateTransaction\. Check its configuration\.$/,
  );
  expect((await simulate(await setUp([rejection, simulationReply()]))).error).toBeUndefined();
});

test.each([{ withUpdates: true }, { withUpdates: false }])(
  'an embedded cluster returns its blockhash and rejects simulation: %o',
  async ({ withUpdates }) => {
    const now = 1_700_000_000_000;
    const origin = chainTimeAt(now);
    const cluster = createLocalCluster({ accounts: new Map(), origin, seed: 's' });
    const localnet = new Localnet({ cluster, now: () => now, log: silentLog });
    const node = await localnet.addNode(0);
    const source = createClusterSource({
      rpcUrls: [new URL(node.rpcUrl)],
      wsUrls: withUpdates ? [new URL(node.wsUrl)] : [],
      commitment: 'confirmed',
      clock: Date.now,
      random: () => 0,
      log: silentLog,
    });
    onTestFinished(async () => {
      source.close();
      await localnet.stop();
    });
    const { slot, blockhash, lastValidBlockHeight } = await source.getLatestBlockhash();
    expect(slot).toBe(origin.slot - 1n);
    expect(blockhash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    // the cluster has 21,000,000 skipped slots
    expect(lastValidBlockHeight).toBe(slot - 21_000_000n + 150n);
    expect((await catchError(source.simulate(wire, [wallet])))?.code).toBe('SOURCE_REFUSES');
  },
);

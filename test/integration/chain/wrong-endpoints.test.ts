import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { EndpointFailover } from '#server/chain/endpoints/endpoint-failover.ts';
import { SlotWitnesses } from '#server/chain/endpoints/slot-witnesses.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { SourceAlarms } from '#server/chain/source/source-alarms.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { FakeNode } from '../../support/fakes/fake-node.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';

const address = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const OTHER_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const scan = { program: address, filters: [] };

/** Nodes of a cluster whose slots take 400 ms of a time that the test passes. */
async function setUp(count: number) {
  const nodes = await Promise.all(Array.from({ length: count }, () => FakeNode.start()));
  const time = { now: 0 };
  const clock = () => time.now;
  const [maxLagSlots, log] = [100n, silentLog];
  const witnesses = new SlotWitnesses({ now: clock, maxLagSlots, log });
  const alarms = new SourceAlarms(clock);
  const newestSlot = () => witnesses.newestSlot();
  const readers = nodes.map(({ url }) =>
    createRpcSource({ url, commitment: 'confirmed', clock, maxLagSlots, newestSlot }),
  );
  const timing = { probeMs: 5, retryMs: 1, random: () => 0 };
  const failover = new EndpointFailover(readers, {
    ...{ maxLagSlots, clock, log, witnesses, alarms, ...timing },
  });
  onTestFinished(async () => {
    failover.close();
    await Promise.all(nodes.map((node) => node.stop().catch(() => undefined)));
  });
  const pass = (slots: number) => {
    for (const node of nodes) node.slot += slots;
    time.now += slots * 400;
  };
  const countOf = (kind: string) => alarms.status().find((each) => each.kind === kind)?.count;
  const [first, second] = nodes;
  if (first === undefined) throw new Error('no node');
  return { first, second: second ?? first, failover, pass, time, countOf };
}

test('one of two endpoints is 400,000 slots ahead for 20 s and then dies: the other one serves all the time', async () => {
  const { first, second, failover, pass, countOf } = await setUp(2);
  await failover.reads.getAccounts([address]);
  // slot, context and clock account
  first.slot += 400_000;
  for (let i = 0; i < 10; i++) {
    pass(5);
    expect((await failover.reads.getAccounts([address])).slot).toBe(BigInt(second.slot));
    expect((await failover.reads.getSlotTime()).slot).toBe(BigInt(second.slot));
  }
  expect(failover.newestSlot()).toBe(1_050n);
  const [wrong, right] = failover.status();
  expect(wrong).toMatchObject({
    healthy: false,
    failureReason: expect.stringMatching(/^it is at slot 401\d{3}, which no other source/),
  });
  expect(right).toMatchObject({ healthy: true, lagSlots: 0n });
  expect(countOf('leap')).toBeGreaterThan(0);
  await first.stop();
  pass(1);
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_051n);
});

test('a single endpoint that is 5,000 slots ahead for 20 s is not believed, and serves afterwards', async () => {
  const { first, failover, pass } = await setUp(1);
  await failover.reads.getAccounts([address]);
  first.slot += 5_000;
  for (let i = 0; i < 10; i++) {
    pass(5);
    const failure = await catchError(failover.reads.getAccounts([address]));
    expect(failure?.message).toMatch(/is at slot 60\d\d, which no other source has reached/);
  }
  expect(failover.newestSlot()).toBe(1_000n);
  first.slot -= 5_000;
  expect((await failover.reads.getAccounts([address])).slot).toBe(1_050n);
  expect(failover.status()[0]).toMatchObject({ healthy: true });
});

test('an endpoint whose upstream moves to another cluster is left out until it is back', async () => {
  const { first, second, failover, pass, countOf } = await setUp(2);
  const { genesisHash } = first;
  await failover.reads.scanProgram(scan);
  first.accounts.set(address, { owner: address, lamports: 1n, data: Uint8Array.of(1) });
  first.genesisHash = OTHER_GENESIS;
  pass(3);
  // an absence that a scan finds is always compared
  expect((await failover.reads.scanProgram(scan)).accounts).toEqual([]);
  const reason = `it belongs to another cluster, with the genesis hash ${OTHER_GENESIS}`;
  expect(failover.status()[0]).toMatchObject({
    healthy: false,
    wrongCluster: true,
    failureReason: reason,
  });
  expect(countOf('other-cluster')).toBe(1);
  const before = first.countRequests('getMultipleAccounts');
  for (let i = 0; i < 5; i++) await failover.reads.getAccounts([address]);
  expect(first.countRequests('getMultipleAccounts')).toBe(before);
  first.genesisHash = genesisHash;
  pass(13);
  await expect.poll(() => failover.status()[0]?.healthy).toBe(true);
  await second.stop();
  expect((await failover.reads.getAccounts([address])).accounts).toHaveLength(1);
});

test('within a minute, other reads notice that a single endpoint has moved', async () => {
  const { first, failover, pass } = await setUp(1);
  const { genesisHash } = first;
  await failover.reads.getAccounts([address]);
  first.genesisHash = OTHER_GENESIS;
  pass(150);
  expect(await catchError(failover.reads.getAccounts([address]))).toMatchObject({
    code: 'SOURCE_UNAVAILABLE',
  });
  first.genesisHash = genesisHash;
  pass(13);
  await expect.poll(() => failover.status()[0]?.healthy).toBe(true);
  expect((await failover.reads.getAccounts([address])).slot).toBe(BigInt(first.slot));
});

test('a strange slot is a reason to compare, so another cluster is named as such', async () => {
  const { first, failover, pass } = await setUp(2);
  await failover.reads.getAccounts([address]);
  pass(30);
  first.slot += 90_000_000;
  first.genesisHash = OTHER_GENESIS;
  await failover.reads.getAccounts([address]);
  expect(failover.status()[0]).toMatchObject({ wrongCluster: true, genesisHash: OTHER_GENESIS });
});

test('an endpoint that failed is compared when it works again', async () => {
  const { first, failover, pass } = await setUp(2);
  await failover.reads.getAccounts([address]);
  first.reply = () => ({ status: 503 });
  await failover.reads.getAccounts([address]);
  pass(15);
  first.genesisHash = OTHER_GENESIS;
  first.reply = () => undefined;
  await failover.reads.getAccounts([address]);
  expect(failover.status()[0]).toMatchObject({ wrongCluster: true });
});

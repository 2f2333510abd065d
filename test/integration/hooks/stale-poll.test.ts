import { expect, test } from 'vitest';
import { storeDelivery } from '#server/history/hooks/delivery-writes.ts';
import { insertHook } from '#server/history/hooks/hook-writes.ts';
import type { History } from '#server/history/open-history.ts';
import { HookDeliverer } from '#server/webhooks/hook-deliverer.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { startHookReceiver } from '../../support/hooks/hook-receiver.ts';

const NOW = 1_000;
const HOOK = 'hook_000000000000000000000001';
const PATIENTLY = { interval: 10 };

onEachEngine('deliveries that were read before their attempt ended', ({ fresh }) => {
  test('are not sent again', async () => {
    const { db } = await (await fresh()).open();
    const { received, receiver, url } = await startHookReceiver();
    await insertHook(db, {
      hook: {
        ...{ id: HOOK, owner: 'key', url, description: '', secret: 'whsec_AAAA', trigger: '{}' },
        ...{ created_at: 1n, slot: 1n },
      },
      sides: [],
      watches: [],
    });
    const store = async (id: string) => {
      const event = { event_key: id, type: 'test', slot: 1n, at: 1n, created_at: 1n };
      await storeDelivery(db, { id, hook: HOOK, body: '{"type":"test"}', ...event });
    };
    // the rows of the second poll arrive when the test lets them
    let polls = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slowDb = withSlowRows(db, async (rows) => {
      if (!rows.some((row) => 'next_attempt_at' in row)) return;
      polls += 1;
      if (polls === 2) await released;
    });
    const deliverer = new HookDeliverer({
      history: { db: slowDb },
      network: { lookup: async () => ['127.0.0.1'], isPrivate: () => true },
      allowsPrivate: true,
      retentionDays: 30,
      onDisabled: () => undefined,
      clock: () => NOW,
      random: () => 0,
      log: silentLog,
    });
    let respond = () => {};
    receiver.respond = (_, response) => {
      respond = () => void response.writeHead(204).end();
    };

    await store('first');
    deliverer.wake();
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    deliverer.wake();
    await expect.poll(() => polls, PATIENTLY).toBe(2);
    receiver.respond = (_, response) => void response.writeHead(204).end();
    respond();
    await expect.poll(() => deliverer.counts.delivered, PATIENTLY).toBe(1);
    await store('second');
    release();
    await expect.poll(() => received.some(({ id }) => id === 'second'), PATIENTLY).toBe(true);
    await deliverer.stop();
    expect(received.map(({ id }) => id)).toEqual(['first', 'second']);
  });
});

/** Calls `arrive` with the rows of every query, outside its connection, before they are returned. */
function withSlowRows(db: History['db'], arrive: (rows: readonly object[]) => Promise<void>) {
  const executor = withMethod(db.getExecutor(), 'executeQuery', async (query) => {
    const result = await db.getExecutor().executeQuery(query);
    await arrive(result.rows as object[]);
    return result;
  });
  return withMethod(db, 'getExecutor', () => executor);
}

/** The object with one method replaced. */
function withMethod<T extends object, K extends keyof T>(object: T, name: K, method: T[K]): T {
  return new Proxy(object, {
    get(target, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

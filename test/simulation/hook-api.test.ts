import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { HOOK_TYPES } from '#server/clusters/cluster-hooks.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { startHookReceiver } from '../support/hooks/hook-receiver.ts';
import {
  addTestHook,
  type HookApi,
  serveHooks,
  startHookGenesis,
} from '../support/hooks/hooked-cluster.ts';
import { assertAsyncProperty } from '../support/properties/assert-property.ts';

const PATIENTLY = { interval: 25 };

onPglite('the API of webhooks', ({ fresh }) => {
  let genesis: Awaited<ReturnType<typeof startHookGenesis>>;
  let served: HookApi;
  let wallet = '';
  beforeEach(async () => {
    genesis = await startHookGenesis();
    wallet = genesis.metadata.demo.wallet;
    served = await serveHooks(genesis, await (await fresh()).open());
  });

  test('needs a key, and shows a key only its own webhooks and never a secret again', async () => {
    const { request, requestAs, requestOfOther } = served;
    const trigger = { type: 'walletTransactions', wallet };
    const body = { url: 'http://127.0.0.1:9/', trigger, description: 'mine' };
    for (const [method, path, sent] of [
      ['POST', '/hooks', body],
      ['GET', '/hooks', undefined],
      ['DELETE', `/hooks/hook_${'0'.repeat(24)}`, undefined],
    ] as const) {
      const rejected = await requestAs('')(method, path, sent);
      expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect((await requestAs('tg_wrong')('GET', '/hooks')).status).toBe(401);

    const { id, secret } = await addTestHook(served, body.url, trigger);
    expect(secret).toMatch(/^whsec_/);
    const listed = await request('GET', '/hooks');
    expect(listed.body).toMatchObject({ hooks: [{ id, url: body.url, trigger, state: 'active' }] });
    expect(listed.headers.get('cache-control')).toBe('no-store');
    for (const path of ['/hooks', `/hooks/${id}`, `/hooks/${id}/deliveries`]) {
      expect(JSON.stringify((await request('GET', path)).body)).not.toContain(secret);
    }
    expect((await requestOfOther('GET', '/hooks')).body).toEqual({ hooks: [] });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/enable'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const other = await requestOfOther(method, `/hooks/${id}${path}`);
      expect([path, other.status]).toEqual([path, 404]);
    }
    expect((await request('DELETE', `/hooks/${id}`)).body).toEqual({ id });
    expect((await request('GET', `/hooks/${id}`)).status).toBe(404);
  });

  test('rejects what cannot work, and says why', async () => {
    const { request } = served;
    const { market } = genesis.metadata.demo;
    const reasonsOf = async (body: unknown) => {
      const response = await request('POST', '/hooks', body);
      const { details } = response.body as { details?: { path: string[] }[] };
      return [response.status, ...(details ?? []).map(({ path }) => path.join('.'))];
    };
    const url = 'http://127.0.0.1:9/';
    const trigger = { type: 'walletTransactions', wallet };
    expect(await reasonsOf({ trigger })).toEqual([400, 'url']);
    expect(await reasonsOf({ url: 'ftp://example.com/', trigger })).toEqual([400, 'url']);
    expect(await reasonsOf({ url, trigger: { type: 'loanHealth' } })).toEqual([
      400,
      'trigger.threshold',
      'trigger.obligation',
    ]);
    expect(
      await reasonsOf({ url, trigger: { type: 'vaultApy', vault: market, threshold: '1' } }),
    ).toEqual([404]);
    const { id } = await addTestHook(served, url, trigger);
    for (const range of [{}, { delivery: 'x' }, { since: 'yesterday' }]) {
      expect((await request('POST', `/hooks/${id}/replay`, range)).status).toBe(400);
    }
    const unknown = { delivery: `msg_${'0'.repeat(32)}` };
    expect((await request('POST', `/hooks/${id}/replay`, unknown)).status).toBe(404);
  });

  test('property: no body causes a failure of the server', async () => {
    const { request } = served;
    const text = fc.oneof(fc.string(), fc.constantFrom(wallet, '0.5', '-1', 'ltv', 'both'));
    const trigger = fc.record(
      {
        type: fc.constantFrom(...HOOK_TYPES),
        ...Object.fromEntries(
          ['wallet', 'obligation', 'vault', 'reserve', 'metric', 'cap', 'threshold', 'hysteresis']
            .concat('direction')
            .map((name) => [name, text]),
        ),
      },
      { requiredKeys: ['type'] },
    );
    const url = fc.oneof(fc.webUrl(), fc.string(), fc.constant('http://127.0.0.1:9/'));
    const bodies = fc.oneof(fc.record({ url, trigger }), fc.object(), fc.jsonValue());
    await assertAsyncProperty(
      fc.asyncProperty(bodies, async (body) => {
        const { status } = await request('POST', '/hooks', body ?? {});
        expect([200, 400, 404]).toContain(status);
      }),
      75,
    );
  });

  test('410 disables a webhook; a new one with two secrets has two signatures', async () => {
    const { request } = served;
    const { received, receiver, url } = await startHookReceiver();
    const { id } = await addTestHook(served, url, { type: 'walletTransactions', wallet });
    receiver.respond = (_, response) => void response.writeHead(410).end();
    await request('POST', `/hooks/${id}/test`);
    const state = async () => {
      const { body } = await request('GET', `/hooks/${id}`);
      const { state: current, disabledReason } = body as Record<string, string | null>;
      return [current, disabledReason];
    };
    await expect
      .poll(state, PATIENTLY)
      .toEqual(['disabled', 'the receiver responded with 410 Gone']);
    await request('POST', `/hooks/${id}/rotate-secret`);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    await request('POST', `/hooks/${id}/test`);
    expect(received).toHaveLength(1);

    expect((await request('POST', `/hooks/${id}/enable`)).body).toMatchObject({ state: 'active' });
    await expect.poll(() => received.length, PATIENTLY).toBe(3);
    const signatures = String(received.at(-1)?.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(2);
    expect(await state()).toEqual(['active', null]);
  });

  test('a slow receiver does not delay another one', async () => {
    const { request } = served;
    const slow = await startHookReceiver();
    const fast = await startHookReceiver();
    slow.receiver.respond = () => undefined;
    const first = await addTestHook(served, slow.url, { type: 'walletTransactions', wallet });
    const second = await addTestHook(served, fast.url, { type: 'walletTransactions', wallet });
    for (let count = 0; count < 10; count++) await request('POST', `/hooks/${first.id}/test`);
    await request('POST', `/hooks/${second.id}/test`);
    await expect.poll(() => fast.received.length, PATIENTLY).toBe(1);
    // only a few at the same time
    expect(slow.received.length).toBeLessThanOrEqual(4);
  });

  test('metrics count webhooks and deliveries', async () => {
    const { request, api } = served;
    const { received, url } = await startHookReceiver();
    const { id } = await addTestHook(served, url, { type: 'walletTransactions', wallet });
    await request('POST', `/hooks/${id}/test`);
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    const metrics = async () => await (await fetch(`${api.url}/metrics`)).text();
    await expect
      .poll(metrics, PATIENTLY)
      .toContain('tidegate_webhook_deliveries_total{cluster="localnet"} 1\n');
    expect(await metrics()).toContain('tidegate_webhooks{cluster="localnet",state="active"} 1\n');
  });
});

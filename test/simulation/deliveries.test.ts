import { expect, test } from 'vitest';
import { onEachEngine } from '../support/history/history-engines.ts';
import {
  hasSignatureOf,
  type ReceivedDelivery,
  startHookReceiver,
} from '../support/hooks/hook-receiver.ts';
import { addTestHook, serveHooks, startHookGenesis } from '../support/hooks/hooked-cluster.ts';

const PATIENTLY = { interval: 25 };

type LoanBody = { readonly loanInfo: { readonly currentLtv: number } };
type DeliveryBody = {
  readonly id: string;
  readonly state: string;
  readonly type: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
};

onEachEngine('webhooks of a cluster', ({ fresh }) => {
  test('a price that falls is delivered as crossings of price and loan health, once each', async () => {
    const genesis = await startHookGenesis();
    const { advanceTime, metadata } = genesis;
    const { obligation, wallet } = metadata.demo;
    const { received, url } = await startHookReceiver();
    const served = await serveHooks(genesis, await (await fresh()).open());
    const { request } = served;
    const collateral = await depositPrices(served, obligation);
    const setPrices = async (factor: number) => {
      for (const [reserve, price] of collateral) {
        await genesis.setPrice(reserve, (price * factor).toFixed(6));
      }
    };
    const [[fallen, before] = ['', 0]] = collateral;
    const loan = (await request('GET', `/klend/loans/${obligation}`)).body as LoanBody;
    const threshold = (loan.loanInfo.currentLtv * 1.5).toFixed(6);

    const health = await addTestHook(served, url, { type: 'loanHealth', obligation, threshold });
    const ofWallet = await addTestHook(served, url, { type: 'loanHealth', wallet, threshold });
    const price = await addTestHook(served, url, {
      type: 'reservePrice',
      reserve: fallen,
      threshold: (before * 0.75).toFixed(6),
      direction: 'falling',
    });
    expect((await request('GET', `/hooks/${health.id}`)).body).toMatchObject({
      state: 'active',
      sides: [{ subject: obligation, side: 'below' }],
    });

    const ofHook = (id: string) => received.filter(({ payload }) => payload.hook === id);
    const deliveredTo = (id: string) => {
      advanceTime();
      return ofHook(id).map(({ payload }) => payload.data['direction']);
    };
    await setPrices(0.5);
    await expect.poll(() => deliveredTo(price.id), PATIENTLY).toEqual(['falling']);
    await expect.poll(() => deliveredTo(health.id), PATIENTLY).toEqual(['rising']);
    await expect.poll(() => deliveredTo(ofWallet.id), PATIENTLY).toContain('rising');

    const [alert] = ofHook(health.id);
    if (alert === undefined) throw new Error('nothing was delivered');
    expect(alert.payload).toMatchObject({
      type: 'loan.health.crossed',
      version: 1,
      env: 'localnet',
      commitment: 'confirmed',
      data: { obligation, wallet, unit: 'fraction', metric: 'ltv', stalePrices: [] },
    });
    expect(Number(alert.payload.data['value'])).toBeGreaterThanOrEqual(Number(threshold));
    expect(alert.payload.data['threshold']).toBe(String(Number(threshold)));
    expect(hasSignatureOf(alert, health.secret)).toBe(true);
    expect(hasSignatureOf(alert, price.secret)).toBe(false);
    expect(alert.headers['content-type']).toBe('application/json');

    // the way back
    await setPrices(1);
    await expect.poll(() => deliveredTo(health.id), PATIENTLY).toEqual(['rising', 'falling']);
    expect(deliveredTo(price.id)).toEqual(['falling']);
  });

  test('every event of a wallet is delivered, also those of a time without a process', async () => {
    const genesis = await startHookGenesis();
    const { advanceTime, metadata, send } = genesis;
    const { wallet, vault, market, deposit } = metadata.demo;
    const { received, url } = await startHookReceiver();
    const database = await fresh();
    const first = await serveHooks(genesis, await database.open());
    const hook = await addTestHook(first, url, { type: 'walletTransactions', wallet });
    const events = () => {
      advanceTime();
      return received.map(({ payload }) => `${payload.data['event']} ${payload.data['signature']}`);
    };

    const deposited = await send('kvault/deposit', { kvault: vault, amount: '10' });
    const has = (event: string) => () => events().includes(event);
    await expect.poll(has(`deposit ${deposited}`), PATIENTLY).toBe(true);
    const delivery = received.find(({ payload }) => payload.data['event'] === 'deposit');
    expect(delivery?.payload).toMatchObject({
      type: 'wallet.transaction',
      hook: hook.id,
      data: {
        product: 'vault',
        wallet,
        vault,
        amounts: { token: { tokens: expect.stringMatching(/^(10|9\.9\d+)$/) } },
      },
    });
    expect(delivery && hasSignatureOf(delivery, hook.secret)).toBe(true);

    await first.stop();
    const lent = await send('klend/deposit', { market, ...deposit });
    expect(events().filter((event) => event.endsWith(lent))).toEqual([]);
    await serveHooks(genesis, await database.open());
    await expect.poll(has(`deposit ${lent}`), PATIENTLY).toBe(true);

    // one that the first process did not see answered is sent again, with the same id
    const idOf = new Map(received.map(({ id, payload }) => [payload.data['eventId'], id]));
    expect(idOf.size).toBe(new Set(received.map(({ id }) => id)).size);
    expect(received.map(({ id, payload }) => [payload.data['eventId'], id])).toEqual(
      received.map(({ payload: { data } }) => [data['eventId'], idOf.get(data['eventId'])]),
    );
  });

  test('a crossing that happened while no process ran is found by the next one', async () => {
    const genesis = await startHookGenesis();
    const { advanceTime, metadata } = genesis;
    const { reserve } = metadata.demo.deposit;
    const { received, url } = await startHookReceiver();
    const database = await fresh();
    const pinnedAt = await genesis.setPrice(reserve, '10');
    const first = await serveHooks(genesis, await database.open());
    await first.reach(pinnedAt);
    const { id } = await addTestHook(first, url, {
      type: 'reservePrice',
      reserve,
      threshold: '50',
    });
    expect((await first.request('GET', `/hooks/${id}`)).body).toMatchObject({
      sides: [{ subject: reserve, side: 'below' }],
    });
    await first.stop();
    await genesis.setPrice(reserve, '60');
    await serveHooks(genesis, await database.open());
    const seen = () => {
      advanceTime();
      return received.map(({ payload }) => [payload.data['direction'], payload.data['value']]);
    };
    await expect.poll(seen, PATIENTLY).toEqual([['rising', '60']]);
  });

  test('attempts are repeated with the same id until one succeeds, and can be replayed', async () => {
    const genesis = await startHookGenesis();
    const { advanceTime, metadata } = genesis;
    const { wallet } = metadata.demo;
    const { received, receiver, url } = await startHookReceiver();
    const served = await serveHooks(genesis, await (await fresh()).open());
    const { request } = served;
    const { id, secret } = await addTestHook(served, url, { type: 'walletTransactions', wallet });
    const log = async () => {
      const { body } = await request('GET', `/hooks/${id}/deliveries`);
      return (body as { deliveries: DeliveryBody[] }).deliveries;
    };
    const statuses = async () => (await log())[0]?.attempts.map(({ status }) => status);

    receiver.respond = (_, response) => void response.writeHead(500).end('not now');
    const { body } = await request('POST', `/hooks/${id}/test`);
    const { delivery } = body as { delivery: string };
    await expect.poll(statuses, PATIENTLY).toEqual([500]);
    expect(await log()).toMatchObject([
      {
        id: delivery,
        type: 'test',
        state: 'pending',
        finishedAt: null,
        attempts: [{ attempt: 1, error: 'it responded with 500', response: 'not now' }],
      },
    ]);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    // the first pause is 5 to 6 seconds
    advanceTime(4_000);
    expect(received).toHaveLength(1);
    advanceTime(2_500);
    await expect.poll(statuses, PATIENTLY).toEqual([500, 200]);
    expect((await log())[0]).toMatchObject({ state: 'delivered', nextAttemptAt: null });
    expect(received.map((each) => each.id)).toEqual([delivery, delivery]);
    expect(received.every((each) => hasSignatureOf(each, secret))).toBe(true);
    const [one, two] = received;
    expect(one?.body).toBe(two?.body);
    expect(Number(two?.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(one?.headers['webhook-timestamp']),
    );

    expect((await request('POST', `/hooks/${id}/replay`, { delivery })).body).toEqual({
      deliveries: 1,
    });
    await expect.poll(statuses, PATIENTLY).toEqual([500, 200, 200]);
    const since = new Date(0).toISOString();
    expect((await request('POST', `/hooks/${id}/replay`, { since })).body).toEqual({
      deliveries: 1,
    });
    await expect.poll(statuses, PATIENTLY).toEqual([500, 200, 200, 200]);
    expect(new Set(received.map((each: ReceivedDelivery) => each.id))).toEqual(new Set([delivery]));
  });
});

type ReportedDeposits = {
  readonly loanInfo: {
    readonly collateral: { readonly deposits: { tokenMint: string; tokenPrice: number }[] };
  };
};

/** The reserves of a loan's deposits, with their prices. */
async function depositPrices(
  { cluster, request }: Awaited<ReturnType<typeof serveHooks>>,
  obligation: string,
): Promise<[reserve: string, price: number][]> {
  const { body } = await request('GET', `/klend/loans/${obligation}`);
  const { deposits } = (body as ReportedDeposits).loanInfo.collateral;
  const prices = new Map(deposits.map((each) => [each.tokenMint, each.tokenPrice]));
  const reserves = cluster.reader
    .markets()
    .flatMap(({ address }) => cluster.reader.reservesOf(address));
  return reserves.flatMap(({ address, fields }): [string, number][] => {
    const price = prices.get(fields.liquidity.mintPubkey);
    return price === undefined ? [] : [[address, price]];
  });
}

import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { createDeferred } from '#server/chain/deferred.ts';
import { differingAccounts } from '../../support/clusters/differing-accounts.ts';
import {
  LONG_POLL,
  serveCluster,
  setAccountValue,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import type { ReceivedRpcRequest } from '../../support/fakes/fake-node.ts';
import { startLossyProxy } from '../../support/fakes/lossy-proxy.ts';
import { goldenLoan } from '../../support/golden/golden-addresses.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../support/localnet/golden-localnet.ts';
import { waitUntil } from '../../support/waiting/wait-until.ts';

const LOANS = encodeBase58(obligation.discriminator);
const TIMING = { programsMs: 100, usersMs: 100, recheckMs: 50 };
const LAST_UPDATE = obligation.offsets.lastUpdate;
const LOAN_PATH = `/klend/loans/${goldenLoan('frank')}`;

const isOfLoans = ({ params }: ReceivedRpcRequest): boolean =>
  JSON.stringify(params).includes(LOANS);

/** Not a listing and not a slice. */
const readsWholeLoans = (call: ReceivedRpcRequest): boolean =>
  call.method === 'getProgramAccounts' &&
  isOfLoans(call) &&
  !JSON.stringify(call.params).includes('dataSlice');

const loansOf = ({ localnet }: GoldenLocalnet): Address[] =>
  [...localnet.bank.accounts()].flatMap(({ address, account }) =>
    obligation.matches(account) ? [address] : [],
  );

type ServedStatus = {
  readonly clusters: readonly {
    readonly drift: {
      readonly isRunning: boolean;
      readonly kinds: readonly {
        readonly kind: string;
        readonly accounts: number;
        readonly since: string | null;
      }[];
    };
    readonly source: { readonly step: string; readonly reason: string };
  }[];
};

async function readStatus({ get }: RunningApi) {
  const { clusters } = (await get('/status')).body as ServedStatus;
  const [cluster] = clusters;
  if (cluster === undefined) throw new Error('no cluster is served');
  return cluster;
}

test('a stream that sends no loans is found, every loan is put right, and another source takes over', async () => {
  const golden = await startGoldenLocalnet();
  const widened = createDeferred<void>();
  let isHeld = false;
  const node = await startLossyProxy(golden, {
    loses: isOfLoans,
    onCall: (call) => (isHeld && readsWholeLoans(call) ? widened.promise : undefined),
  });
  const { api, cluster } = await serveCluster(golden, { nodes: [node], drift: TIMING });
  await waitUntilReady(api);
  expect(await readStatus(api)).toMatchObject({
    drift: { isRunning: true, kinds: [] },
    source: { step: 'websocket' },
  });
  isHeld = true;
  const loans = loansOf(golden);
  for (const [i, address] of loans.entries()) {
    await setAccountValue(golden, { address, offset: LAST_UPDATE, value: 7n + BigInt(i) });
  }
  // all loans are compared again as soon as one differs, and the test holds that
  await expect
    .poll(async () => (await api.get(LOAN_PATH)).headers.get('x-unproven'), LONG_POLL)
    .toMatch(/^obligation;code=stateDrift;since=\d+;detail="updates were lost: \d+ accounts/);
  const open = await readStatus(api);
  expect(open.drift.kinds).toEqual([
    {
      kind: 'obligation',
      source: 'websocket',
      accounts: expect.any(Number),
      since: expect.stringMatching(/^\d+$/),
      lastHealedAt: expect.stringMatching(/Z$/),
    },
  ]);
  const prices = await api.get('/oracles/prices');
  expect(prices.headers.get('x-unproven'), 'prices do not depend on loans').toBeNull();
  widened.resolve();
  await expect
    .poll(async () => (await readStatus(api)).drift.kinds, LONG_POLL)
    .toMatchObject([{ accounts: loans.length, since: null }]);
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  const labels = 'cluster="localnet",kind="obligation",source="websocket"';
  expect(metrics).toContain(`tidegate_state_drift_total{${labels}} ${loans.length}\n`);
  const wrong = differingAccounts(cluster, golden);
  expect(wrong.filter((address) => loans.includes(address))).toEqual([]);
  expect((await api.get(LOAN_PATH)).headers.get('x-unproven')).toBeNull();
  expect((await readStatus(api)).source).toMatchObject({
    step: 'polling',
    reason: expect.stringMatching(/^websocket: updates were lost: \d+ accounts \(obligation\)/),
  });
});

test('a stream that loses a tenth of its notifications of loans is found, and every account is right afterwards', async () => {
  const random = createSeededRandom('a tenth');
  const golden = await startGoldenLocalnet();
  let lost = 0;
  const node = await startLossyProxy(golden, {
    loses: (subscription) => {
      const isLost = isOfLoans(subscription) && random.between(1n, 10n) === 1n;
      if (isLost) lost += 1;
      return isLost;
    },
  });
  const { api, cluster } = await serveCluster(golden, { nodes: [node], drift: TIMING });
  await waitUntilReady(api);
  const loans = loansOf(golden);
  let changedAt = 0n;
  // what a round loses, the next one sends; a cluster that found it polls, and loses nothing any more
  const isFound = async () => (await readStatus(api)).source.step !== 'websocket';
  for (let round = 1n, before = -1; ; round++) {
    if (round >= 4n && (lost > before || (await isFound()))) break;
    before = lost;
    for (const address of loans) {
      changedAt = await setAccountValue(golden, { address, offset: LAST_UPDATE, value: round });
    }
    await waitForServedSlot(api, changedAt);
  }
  await waitForServedSlot(api, changedAt);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  const kinds = await waitUntil(async () => {
    const { drift } = await readStatus(api);
    const isOpen = drift.kinds.some(({ since }) => since !== null);
    return drift.kinds.length > 0 && !isOpen && drift.kinds;
  }, 'all kinds are compared');
  expect(kinds.map(({ kind }) => kind)).toContain('obligation');
  const found = kinds.reduce((sum, { accounts }) => sum + accounts, 0);
  expect(found, 'each difference has a lost notification').toBeLessThanOrEqual(lost);
});

test('while nothing is lost, nothing differs, however often accounts change', async () => {
  const golden = await startGoldenLocalnet();
  const often = { programsMs: 20, usersMs: 20 };
  const { api, cluster } = await serveCluster(golden, { drift: often });
  await waitUntilReady(api);
  const accounts = [...golden.localnet.bank.accounts()].flatMap(({ address, account }) => {
    if (obligation.matches(account)) return [{ address, offset: LAST_UPDATE }];
    if (reserve.matches(account)) return [{ address, offset: reserve.offsets.lastUpdate }];
    return [];
  });
  let changedAt = 0n;
  for (let round = 1n; round <= 5n; round++) {
    for (const each of accounts) {
      changedAt = await setAccountValue(golden, { ...each, value: round });
    }
  }
  await waitForServedSlot(api, changedAt);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  const { drift, source } = await readStatus(api);
  expect(drift).toMatchObject({
    kinds: [],
    passes: [{ accounts: 'programs' }, { accounts: 'users' }],
  });
  expect(source.step).toBe('websocket');
});

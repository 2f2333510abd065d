import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { lendingEventKinds, vaultEventKinds } from '#server/history/event-kinds.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { staticRecording } from '../../support/golden/static-recording.ts';
import { lendingEvent, uniqueAddress, vaultEvent } from '../../support/history/history-rows.ts';
import {
  GOLDEN_MARKET,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { startTokenFiguresApi } from '../../support/history/token-figures-api.ts';
import { emptyWorkerDatabase } from '../../support/history/worker-database.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = mintOf(USDC_RESERVE);
const DAY = 86_400n;

function mintOf(reserve: Address): Address {
  const mint = goldenReader().reserve(reserve)?.fields.liquidity.mintPubkey;
  if (mint === undefined) throw new Error(`no reserve ${reserve}`);
  return mint;
}

/** The golden cluster with a history whose events are recorded since the genesis, unless the test says otherwise. */
async function startWith({
  sinceSlot = 0n,
  recordedSeconds = 0n,
  lateBy = 0n,
  changes = {} as Partial<Cluster>,
} = {}) {
  const { db } = await emptyWorkerDatabase();
  const cluster = staticCluster({
    recording: staticRecording({ history: createHistoryReader(db) }),
    ...changes,
  });
  const { unix, slot } = cluster.reader.at();
  const writer = new HistoryWriter(db);
  const since = { slot: toSlot(sinceSlot), at: toUnixSeconds(unix - recordedSeconds) };
  await writer.append({ checkpoint: { name: 'events-since', direction: 'older', ...since } });
  const newest = { slot, at: toUnixSeconds(unix - lateBy) };
  await writer.append({ checkpoint: { name: 'events', direction: 'newer', ...newest } });
  const api = await startTokenFiguresApi(cluster);
  const volumeOf = async (mint: string) => (await api.find(mint))?.tradingVolume24H;
  return { ...api, cluster, db, writer, unix, volumeOf };
}

let number = 0;

type Move = { readonly at: bigint; readonly kind: (typeof lendingEventKinds)[number] };

/** 1.5 SOL at 160 USD: 240 USD. */
const solEvent = (
  { at, kind }: Move,
  changes: Partial<Parameters<typeof lendingEvent>[1]> = {},
) => {
  number += 1;
  return lendingEvent(
    { number, at, slot: BigInt(number) },
    {
      kind: lendingEventKinds.indexOf(kind),
      market: GOLDEN_MARKET,
      reserve: SOL_RESERVE,
      mint: mintOf(SOL_RESERVE),
      liquidityAmount: 1_500_000_000n,
      priceSf: sfFromInt(160n),
      ...changes,
    },
  );
};

test('every movement of the last 24 hours counts once, at its own price', async () => {
  const { writer, unix, refresh, volumeOf, list } = await startWith();
  const vault = goldenVault('Steady USDC').address;
  const at = unix - 60n;
  await writer.append({
    lendingEvents: [
      solEvent({ at, kind: 'deposit' }),
      solEvent({ at: unix, kind: 'borrow' }, { priceSf: sfFromInt(200n) }),
      solEvent({ at: unix - DAY + 1n, kind: 'withdraw' }),
      // 24 hours ago and in the future
      solEvent({ at: unix - DAY, kind: 'withdraw' }),
      solEvent({ at: unix + 1n, kind: 'withdraw' }),
      // the other party's view of a movement, collateral, and a market of its own
      ...(['repayForOther', 'liquidate', 'borrowOrderFullFill'] as const).map((kind) =>
        solEvent({ at, kind }),
      ),
      solEvent({ at, kind: 'depositObligationCollateral' }, { collateralAmount: 5n }),
      solEvent({ at, kind: 'repay' }, { market: uniqueAddress() }),
    ],
    vaultEvents: (['deposit', 'investIn', 'shareTransferOut'] as const).map((kind, index) =>
      vaultEvent(
        { number: 9_000 + index, at, slot: 1n },
        {
          kind: vaultEventKinds.indexOf(kind),
          vault,
          tokenAmount: kind === 'shareTransferOut' ? null : 2_500_000n,
          sharesAmount: 3n,
          priceSf: sfFromInt(2n),
        },
      ),
    ),
  });
  expect(await volumeOf(SOL)).toBeNull();
  await refresh();
  // 240 three times, and 1.5 SOL at 200
  expect(await volumeOf(SOL)).toBe(1_020);
  // 2.5 USDC at 2 USD, twice
  expect(await volumeOf(USDC)).toBe(10);
  expect((await list('?limit=2')).map(({ mint }) => mint)).toEqual([SOL, USDC]);
  const others = (await list()).slice(2).map(({ tradingVolume24H }) => tradingVolume24H);
  expect(new Set(others)).toEqual(new Set([0]));
});

test('the count is repeated once a minute, and cached responses follow it', async () => {
  const { writer, unix, refresh, volumeOf } = await startWith();
  await refresh();
  expect(await volumeOf(SOL)).toBe(0);
  await writer.append({ lendingEvents: [solEvent({ at: unix, kind: 'deposit' })] });
  await refresh(59);
  expect(await volumeOf(SOL)).toBe(0);
  await refresh(1);
  expect(await volumeOf(SOL)).toBe(240);
  expect(await volumeOf(SOL)).toBe(240);
});

test.each([
  ['recording began less than 24 hours ago', { sinceSlot: 5n, recordedSeconds: DAY - 1n }, null],
  ['recording began 24 hours ago', { sinceSlot: 5n, recordedSeconds: DAY }, 240],
  ['the newest event is too old', { lateBy: 121n }, null],
])('%s', async (_name, recorded, expected) => {
  const { writer, unix, refresh, volumeOf } = await startWith(recorded);
  await writer.append({ lendingEvents: [solEvent({ at: unix - 300n, kind: 'deposit' })] });
  await refresh();
  expect(await volumeOf(SOL)).toBe(expected);
  expect(await volumeOf(USDC)).toBe(expected === null ? null : 0);
});

test('a gap within the 24 hours leaves no volume, an older gap is ignored', async () => {
  const { writer, unix, refresh, volumeOf } = await startWith();
  const gap = (since: bigint, until: bigint) => ({
    name: 'events',
    since: toUnixSeconds(unix - since),
    until: toUnixSeconds(unix - until),
  });
  await writer.append({ gaps: [gap(3n * DAY, DAY)] });
  await refresh();
  expect(await volumeOf(SOL)).toBe(0);
  await writer.append({ gaps: [gap(7_200n, 3_600n)] });
  await refresh(60);
  expect(await volumeOf(SOL)).toBeNull();
});

test('a token with a movement without a price has no volume, others do', async () => {
  const { writer, unix, refresh, volumeOf } = await startWith();
  const at = unix - 60n;
  await writer.append({
    lendingEvents: [
      solEvent({ at, kind: 'deposit' }),
      solEvent({ at, kind: 'deposit' }, { priceSf: null }),
    ],
  });
  await refresh();
  expect([await volumeOf(SOL), await volumeOf(USDC)]).toEqual([null, 0]);
});

test.each(['token', 'vault'] as const)(
  'a movement of an unknown %s leaves no volume',
  async (unknown) => {
    const { writer, unix, refresh, volumeOf } = await startWith();
    const at = unix - 60n;
    const kind = vaultEventKinds.indexOf('deposit');
    const moved = { kind, vault: uniqueAddress(), tokenAmount: 1n, priceSf: sfFromInt(1n) };
    await writer.append(
      unknown === 'token'
        ? { lendingEvents: [solEvent({ at, kind: 'deposit' }, { mint: null })] }
        : { vaultEvents: [vaultEvent({ number: 9_100, at, slot: 1n }, moved)] },
    );
    await refresh();
    expect(await volumeOf(USDC)).toBeNull();
  },
);

test('a price that is too old gives no market cap', async () => {
  const { unix, slot } = goldenReader().at();
  const at = { slot, unix: toUnixSeconds(unix + 30n * DAY) };
  const { refresh, list } = await startWith({ changes: { reader: goldenReader({ at }) } });
  await refresh();
  expect((await list()).map(({ marketCapUsd }) => marketCapUsd)).not.toContainEqual(
    expect.any(Number),
  );
});

test('without the database the list has no volumes, and without the cluster no market caps', async () => {
  const { refresh, find, db, list } = await startWith();
  await refresh();
  const before = await find(USDC);
  expect(before).toMatchObject({ tradingVolume24H: 0, marketCapUsd: expect.any(Number) });
  await db.schema.alterTable('checkpoint').renameTo('lost').execute();
  try {
    await refresh(60);
    expect(await find(USDC)).toEqual({ ...before, tradingVolume24H: null });
    expect((await list('')).length).toBeGreaterThan(1);
  } finally {
    await db.schema.alterTable('lost').renameTo('checkpoint').execute();
  }
  await refresh(10);
  expect(await find(USDC)).toEqual(before);
  const failing = async () => Promise.reject(new Error('no endpoint'));
  const other = await startWith({ changes: { readAccounts: failing } });
  await other.refresh();
  expect(await other.find(USDC)).toMatchObject({ tradingVolume24H: 0, marketCapUsd: null });
});

test('a cluster that counts its figures does not use those of the token source', async () => {
  const { cluster } = await startWith();
  const token = {
    mint: USDC,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    logoUrl: null,
    verified: true,
    tradingVolume24H: 123,
    marketCapUsd: 456,
    priority: 1,
  };
  const { refresh, find } = await startTokenFiguresApi(cluster, createStaticTokens([token]));
  expect(await find(USDC)).toEqual({ ...token, tradingVolume24H: null, marketCapUsd: null });
  await refresh();
  expect(await find(USDC)).toMatchObject({ name: 'USD Coin', tradingVolume24H: 0 });
});

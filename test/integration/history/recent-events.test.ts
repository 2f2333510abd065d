import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { EVENTS_CHECKPOINT, EVENTS_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import { lendingEventKinds, vaultEventKinds } from '#server/history/event-kinds.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent, vaultEvent } from '../../support/history/history-rows.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import { GOLDEN_MARKET, SOL_RESERVE } from '../../support/history/reserve-history-rows.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const VAULT = goldenVault('Steady USDC').address;

const isoOf = (number: number): string => new Date((Number(OCTOBER) + number) * 1000).toISOString();

/** `number` is the slot and the seconds after the begin of October. */
const when = (number: number) => ({ number, at: OCTOBER + BigInt(number), slot: BigInt(number) });

const lending = (number: number, kind: (typeof lendingEventKinds)[number]) =>
  lendingEvent(when(number), {
    kind: lendingEventKinds.indexOf(kind),
    wallet: LOAN_OWNER,
    market: GOLDEN_MARKET,
    obligation: LOAN,
    reserve: SOL_RESERVE,
    liquidityAmount: 1_500_000_000n,
  });

const vault = (number: number, kind: (typeof vaultEventKinds)[number]) =>
  vaultEvent(when(number), {
    kind: vaultEventKinds.indexOf(kind),
    wallet: LOAN_OWNER,
    vault: VAULT,
    tokenAmount: 2_250_000n,
  });

const checkpoint = (number: number) => ({
  name: EVENTS_CHECKPOINT,
  direction: 'newer' as const,
  slot: toSlot(BigInt(number)),
  at: toUnixSeconds(OCTOBER + BigInt(number)),
});

type Listed = {
  readonly recordedSince: string | null;
  readonly recordedUntil: string;
  readonly events: readonly Record<string, unknown>[];
};

const rowsOf = ({ body }: { readonly body: unknown }) =>
  (body as Listed).events.map(({ product, instruction, timestamp }) => [
    product,
    instruction,
    timestamp,
  ]);

test('events of lending and vaults are in one list, newest first, without accompanying events', async () => {
  const api = await startHistoryApi();
  await api.writer.append({
    lendingEvents: [
      lending(1, 'deposit'),
      lending(4, 'liquidate'),
      lending(4, 'liquidationRepay'),
      lending(6, 'borrow'),
      lending(7, 'initObligation'),
    ],
    vaultEvents: [vault(2, 'deposit'), vault(5, 'withdrawFromAvailable'), vault(8, 'investIn')],
    checkpoint: checkpoint(9),
  });
  const response = await api.get('/events/recent');
  expect(rowsOf(response)).toEqual([
    ['lending', 'borrow', isoOf(6)],
    ['vault', 'withdrawAvailable', isoOf(5)],
    ['lending', 'liquidate', isoOf(4)],
    ['vault', 'deposit', isoOf(2)],
    ['lending', 'deposit', isoOf(1)],
  ]);
  const { events, ...recorded } = response.body as Listed;
  expect(recorded).toEqual({ recordedSince: null, recordedUntil: isoOf(9) });
  expect(events[0]).toMatchObject({ reserve: SOL_RESERVE, vault: null, tokenAmount: '1.5' });
  expect(events[1]).toMatchObject({ reserve: null, vault: VAULT, tokenAmount: '2.25' });
  expect(rowsOf(await api.get('/events/recent?limit=2'))).toHaveLength(2);
  for (const limit of ['0', '101', 'x']) {
    expect((await api.get(`/events/recent?limit=${limit}`)).status, limit).toBe(400);
  }
});

test('the response is unchanged until an event is recorded', async () => {
  const api = await startHistoryApi();
  await api.writer.append({ lendingEvents: [lending(1, 'deposit')], checkpoint: checkpoint(1) });
  const first = await fetch(`${api.url}/events/recent`);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const request = () => fetch(`${api.url}/events/recent`, { headers });
  expect((await request()).status).toBe(304);
  await api.writer.append({ vaultEvents: [vault(2, 'deposit')], checkpoint: checkpoint(2) });
  api.recentEvents.invalidate();
  const changed = await request();
  expect(changed.status).toBe(200);
  expect(rowsOf({ body: await changed.json() })).toEqual([
    ['vault', 'deposit', isoOf(2)],
    ['lending', 'deposit', isoOf(1)],
  ]);
});

test('events from before a time without a record are not listed', async () => {
  const api = await startHistoryApi();
  await api.writer.append({
    lendingEvents: [lending(10, 'deposit'), lending(30, 'repay')],
    gaps: [
      {
        name: EVENTS_CHECKPOINT,
        since: toUnixSeconds(OCTOBER + 15n),
        until: toUnixSeconds(OCTOBER + 20n),
      },
    ],
    checkpoint: checkpoint(30),
  });
  await api.writer.append({
    checkpoint: { ...checkpoint(5), name: EVENTS_SINCE_CHECKPOINT, direction: 'older' },
  });
  const response = await api.get('/events/recent');
  expect(rowsOf(response)).toEqual([['lending', 'repay', isoOf(30)]]);
  expect((response.body as Listed).recordedSince).toBe(isoOf(20));
});

test('a required checkpoint that the loaded list does not have loads it again', async () => {
  const { writer, recentEvents } = await startHistoryApi();
  const timesOf = async () =>
    (await recentEvents.read()).events.map(({ at }) => Number(at - OCTOBER));
  await writer.append({ lendingEvents: [lending(10, 'deposit')], checkpoint: checkpoint(10) });
  expect(await timesOf()).toEqual([10]);
  await writer.append({ lendingEvents: [lending(20, 'deposit')], checkpoint: checkpoint(20) });
  await recentEvents.requireCheckpoint(toSlot(10n));
  expect(await timesOf()).toEqual([10]);
  await recentEvents.requireCheckpoint(toSlot(20n));
  expect(await timesOf()).toEqual([20, 10]);
});

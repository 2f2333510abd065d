import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { CodedError } from '../../errors.ts';
import type { CallPriority } from './call-priorities.ts';
import { EndpointMeter } from './endpoint-meter.ts';
import type { RpcBudget } from './rpc-budget.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

beforeEach(() => vi.useFakeTimers({ now: NOON }));
afterEach(() => vi.useRealTimers());

function startMeter(budget?: RpcBudget) {
  let priority: CallPriority = 'live';
  const meter = new EndpointMeter({
    endpoint: 'node.example',
    clock: Date.now,
    budget,
    priority: () => priority,
  });
  const send = (received: number, sent = 0) =>
    meter.measure({ method: 'getSlot', calls: 1 }, async (report) => {
      report({ sent, received });
      return 'result';
    });
  const setPriority = (next: CallPriority) => {
    priority = next;
  };
  return { meter, send, setPriority };
}

const ofBytes = (bytesPerDay: number): RpcBudget => ({ callsPerSecond: undefined, bytesPerDay });

test('calls, bytes, errors and durations are counted per method', async () => {
  const { meter } = startMeter();
  const calls = { method: 'getTransaction', calls: 20 };
  await meter.measure(calls, async (report) => {
    await vi.advanceTimersByTimeAsync(300);
    report({ sent: 100, received: 5_000 });
  });
  const failure = meter.measure({ method: 'getSlot', calls: 1 }, async (report) => {
    report({ sent: 10, received: 7 });
    throw new CodedError('SOURCE_REFUSES', { source: 'a', reason: 'b' });
  });
  await expect(failure).rejects.toThrow();
  const { methods, durationBounds, lastMinute, budget } = meter.usage();
  expect(methods.get('getTransaction')).toMatchObject({
    calls: 20,
    sentBytes: 100,
    receivedBytes: 5_000,
    errors: new Map(),
    totalSeconds: 0.3,
  });
  const bucket = durationBounds.indexOf(0.5);
  expect(methods.get('getTransaction')?.durations[bucket]).toBe(1);
  expect(methods.get('getTransaction')?.durations).toHaveLength(durationBounds.length + 1);
  expect(methods.get('getSlot')).toMatchObject({
    calls: 1,
    errors: new Map([['SOURCE_REFUSES', 1]]),
  });
  expect(lastMinute).toEqual({ calls: 21, bytes: 5_117 });
  expect(budget).toBeUndefined();
});

test('the last minute forgets, the day does not until midnight', async () => {
  const { meter, send } = startMeter();
  await send(100);
  await vi.advanceTimersByTimeAsync(30_000);
  await send(10);
  expect(meter.usage().lastMinute).toEqual({ calls: 2, bytes: 110 });
  await vi.advanceTimersByTimeAsync(31_000);
  expect(meter.usage().lastMinute).toEqual({ calls: 1, bytes: 10 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(meter.usage()).toMatchObject({
    lastMinute: { calls: 0, bytes: 0 },
    today: { calls: 2, bytes: 110 },
  });
  await vi.advanceTimersByTimeAsync(DAY_MS / 2);
  expect(meter.usage().today).toEqual({ calls: 0, bytes: 0 });
});

test('when the bytes of the day are used up nothing is sent until midnight, whoever asks', async () => {
  const { meter, send, setPriority } = startMeter(ofBytes(1_000));
  await send(900);
  expect(meter.usage().budget).toMatchObject({ bytesPerDay: 1_000, bytesLeft: 100 });
  // the size of a response is known only when it has arrived
  await send(300);
  expect(meter.usage().budget?.bytesLeft).toBe(0);
  for (const priority of ['user', 'live', 'backfill'] as const) {
    setPriority(priority);
    expect(await catchError(send(1))).toMatchObject({
      code: 'RPC_BUDGET_SPENT',
      context: { endpoint: 'node.example', retryAfterSeconds: 12 * 3_600 },
    });
  }
  expect(meter.usage().methods.get('getSlot')?.calls).toBe(2);
  await vi.advanceTimersByTimeAsync(DAY_MS / 2);
  setPriority('user');
  expect(await send(1)).toBe('result');
  expect(meter.usage().budget?.bytesLeft).toBe(999);
});

test('backfill uses no more bytes than the part of the day that has passed, others may', async () => {
  const { send, setPriority } = startMeter(ofBytes(1_000));
  await send(600);
  setPriority('backfill');
  let isDone = false;
  void send(1).then(() => {
    isDone = true;
  });
  // 600 of 1,000 bytes are due at 14:24
  await vi.advanceTimersByTimeAsync(2.3 * 3_600_000);
  expect(isDone).toBe(false);
  setPriority('live');
  expect(await send(0)).toBe('result');
  await vi.advanceTimersByTimeAsync(0.2 * 3_600_000);
  expect(isDone).toBe(true);
});

test('calls above the rate wait, those of requests first', async () => {
  const { send, setPriority } = startMeter({ callsPerSecond: 1, bytesPerDay: undefined });
  const order: string[] = [];
  await send(0);
  for (const priority of ['backfill', 'live', 'user'] as const) {
    setPriority(priority);
    void send(0).then(() => order.push(priority));
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(order).toEqual(['user', 'live', 'backfill']);
});

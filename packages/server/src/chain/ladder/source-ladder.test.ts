import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { findStepFailure, SourceLadder, type StepSignals } from './source-ladder.ts';

const timing = { failAfterMs: 6_000, firstRetryMs: 1_000, maxRetryMs: 4_000, stableMs: 60_000 };

function setUp() {
  const time = { now: 0 };
  const ladder = new SourceLadder({
    steps: ['grpc', 'websocket', 'polling'],
    now: () => time.now,
    // the pause is then the whole bound, almost
    random: () => 1,
    timing,
  });
  return { time, ladder };
}

test('each failure moves to the next step; the last one stays', () => {
  const { time, ladder } = setUp();
  expect(ladder.status()).toMatchObject({ step: 'grpc', reason: 'It is the preferred source.' });
  time.now = 10;
  ladder.fail('no connection');
  expect(ladder.status()).toMatchObject({ step: 'websocket', reason: 'grpc: no connection' });
  ladder.fail('status 404');
  ladder.fail('status 503');
  time.now = 30;
  expect(ladder.status()).toEqual({
    step: 'polling',
    activeMs: 20,
    reason: 'websocket: status 404',
    steps: [
      { step: 'grpc', active: false, lastError: 'no connection', retryInMs: 980 },
      { step: 'websocket', active: false, lastError: 'status 404', retryInMs: 980 },
      { step: 'polling', active: true, lastError: undefined, retryInMs: undefined },
    ],
  });
});

test('the best step that is due is tried, with pauses that double up to a limit', () => {
  const { time, ladder } = setUp();
  ladder.fail('no connection');
  ladder.fail('status 404');
  time.now = 999;
  expect(ladder.dueStep()).toBeUndefined();
  time.now = 1_000;
  expect(ladder.dueStep()).toBe(0);
  const pauses = [2_000, 4_000, 4_000];
  for (const pause of pauses) {
    ladder.rejectTrial(0, 'no connection');
    expect(ladder.dueStep()).toBe(1);
    ladder.rejectTrial(1, 'status 404');
    time.now += pause - 1;
    expect(ladder.dueStep()).toBeUndefined();
    time.now += 1;
    expect(ladder.dueStep()).toBe(0);
  }
});

test('a step that works again becomes active; if it fails soon, its pause is longer', () => {
  const { time, ladder } = setUp();
  ladder.fail('no connection');
  time.now = 1_000;
  ladder.promote(0);
  expect(ladder.status()).toMatchObject({ step: 'grpc', reason: 'It works again.', activeMs: 0 });
  expect(ladder.status().steps[0]?.lastError).toBeUndefined();
  time.now += 59_999;
  ladder.fail('no new slot');
  expect(ladder.status().steps[0]?.retryInMs).toBe(2_000);
  time.now += 2_000;
  ladder.promote(0);
  time.now += 60_000;
  ladder.fail('no new slot');
  expect(ladder.status().steps[0]?.retryInMs).toBe(1_000);
});

test('a step that seems to work is not tried again before the given pause', () => {
  const { time, ladder } = setUp();
  ladder.fail('updates were lost', 4_000);
  time.now = 3_999;
  expect(ladder.dueStep()).toBeUndefined();
  time.now = 4_000;
  expect(ladder.dueStep()).toBe(0);
});

const working: StepSignals = {
  openedAt: 0,
  slotAt: 1_000,
  slot: toSlot(100n),
  isConnected: true,
  lastError: undefined,
  unconfirmedSince: undefined,
};
const failureAt = (now: number, signals: Partial<StepSignals>, newest = 109n) =>
  findStepFailure({ ...working, ...signals }, { now, newestSlot: toSlot(newest) }, 6_000);

test('a step without new slots fails only while the cluster advances', () => {
  expect(failureAt(6_999, {})).toBeUndefined();
  expect(failureAt(7_000, {})).toBe('no new slot for 6 s, while the cluster advances');
  expect(failureAt(7_000, {}, 108n)).toBeUndefined();
  expect(failureAt(6_000, { slotAt: undefined })).toMatch(/^no new slot/);
});

test('a step that is not connected fails with its last error', () => {
  const isConnected = false;
  expect(failureAt(6_999, { isConnected })).toBeUndefined();
  expect(failureAt(7_000, { isConnected }, 100n)).toBe('no connection within 6 s');
  expect(failureAt(7_000, { isConnected, lastError: 'status 404' })).toBe('status 404');
});

test('a step that does not confirm a subscription fails even if slots arrive', () => {
  expect(failureAt(6_000, { unconfirmedSince: 1, slotAt: 5_999 })).toBeUndefined();
  expect(failureAt(6_001, { unconfirmedSince: 1, slotAt: 6_000 })).toBe(
    'a subscription was not confirmed within 6 s',
  );
});

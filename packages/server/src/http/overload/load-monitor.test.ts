import { expect, test } from 'vitest';
import { LoadMonitor } from './load-monitor.ts';

/** An event loop whose time passes only as told. */
function createLoop() {
  let now = 0;
  let idle = 0;
  let ends: (() => void)[] = [];
  const monitor = new LoadMonitor({
    now: () => now,
    idleMs: () => idle,
    afterTurn: (callback) => ends.push(callback),
  });
  /** One turn with this many requests of this duration. Returns which of them are rejected. */
  const turn = (requests: number, ms: number): boolean[] => {
    const rejected = Array.from({ length: requests }, () => {
      const isRejected = monitor.mustReject();
      if (!isRejected) now += ms;
      return isRejected;
    });
    for (const end of ends) end();
    ends = [];
    return rejected;
  };
  const pause = (ms: number): void => {
    now += ms;
    idle += ms;
  };
  return { turn, pause };
}

const countRejected = (rejected: readonly boolean[]): number => rejected.filter(Boolean).length;

test('a burst is answered, however many requests it has', () => {
  const { turn } = createLoop();
  expect(countRejected(turn(500, 1))).toBe(0);
});

test('long turns that follow each other for 250 ms reject what comes up after 10 ms', () => {
  const { turn } = createLoop();
  expect(countRejected(turn(160, 1))).toBe(0);
  // 160 + 90 = 250
  expect(countRejected(turn(150, 1))).toBe(22);
  expect(turn(200, 0.4)).toEqual([...Array(128).fill(false), ...Array(72).fill(true)]);
  // the first request begins the turn, 160 more are within 10 ms
  expect(turn(300, 0.0625)).toEqual([...Array(161).fill(false), ...Array(139).fill(true)]);
});

test('few requests are answered, however long their turns are', () => {
  const { turn } = createLoop();
  for (let round = 0; round < 10; round++) expect(countRejected(turn(128, 10))).toBe(0);
});

test('bursts with pauses between them are answered', () => {
  const { turn, pause } = createLoop();
  for (let burst = 0; burst < 10; burst++) {
    expect(countRejected(turn(200, 1))).toBe(0);
    pause(50);
  }
});

test('a short turn ends the count of long ones', () => {
  const { turn } = createLoop();
  for (let round = 0; round < 10; round++) {
    expect(countRejected(turn(200, 1))).toBe(0);
    expect(countRejected(turn(10, 1))).toBe(0);
  }
});

test('within a second after an overload, a long turn rejects at once; later it is a burst again', () => {
  const { turn, pause } = createLoop();
  turn(300, 1);
  expect(countRejected(turn(178, 1))).toBe(50);
  pause(800);
  expect(countRejected(turn(178, 1))).toBe(50);
  pause(1_100);
  expect(countRejected(turn(178, 1))).toBe(0);
});

test('one slow request does not reject the next ones', () => {
  const { turn, pause } = createLoop();
  turn(1, 5_000);
  expect(countRejected(turn(15, 1))).toBe(0);
  pause(10);
  expect(countRejected(turn(15, 1))).toBe(0);
});

test('what arrives while the machine stalls is answered', () => {
  const { turn } = createLoop();
  expect(countRejected(turn(100, 5))).toBe(0);
  // the requests of the half second, then those that arrive meanwhile
  for (const requests of [1_500, 400, 140, 60]) {
    expect(countRejected(turn(requests, 0.08))).toBe(0);
  }
});

import { setTimeout as pause } from 'node:timers/promises';
import { readMetric, readServedSlot } from '../../test/support/simulated-mainnet/served-slot.ts';
import {
  sumTraffic,
  type TrafficFigures,
  trafficBetween,
} from '../../test/support/simulated-mainnet/traffic.ts';
import type { MainnetProcess } from './mainnet-process.ts';

const LAG_POLL_MS = 100;
const MINUTE_SECONDS = 60;

/** What a server cost during a time, and how far it was behind. */
export type FollowFigures = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Confirmed slots that the server did not serve yet, sorted. */
  readonly lags: readonly number[];
  readonly traffic: TrafficFigures;
  readonly transactions: number;
};

/** Measures a server while it follows the node for some seconds. */
export async function measureWindow(
  node: MainnetProcess,
  url: string,
  seconds: number,
): Promise<FollowFigures> {
  const before = await node.figures();
  const cpuBefore = await readMetric(url, 'process_cpu_seconds_total');
  const start = performance.now();
  const lags: number[] = [];
  while (performance.now() < start + seconds * 1_000) {
    const lag = await readLag(node, url);
    if (lag !== undefined) lags.push(lag);
    await pause(LAG_POLL_MS);
  }
  const cpuSeconds = (await readMetric(url, 'process_cpu_seconds_total')) - cpuBefore;
  const elapsed = (performance.now() - start) / 1_000;
  const after = await node.figures();
  return {
    seconds: elapsed,
    cpuSeconds,
    lags: lags.toSorted((a, b) => a - b),
    traffic: trafficBetween(before.traffic, after.traffic),
    transactions: after.transactions - before.transactions,
  };
}

/** In slots; undefined if the server does not answer. */
async function readLag(node: MainnetProcess, url: string): Promise<number | undefined> {
  const { confirmedSlot } = await node.figures();
  const served = await readServedSlot(url);
  return served === undefined ? undefined : Math.max(0, confirmedSlot - Number(served));
}

export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

export type MinuteCosts = {
  readonly calls: number;
  readonly callBytes: number;
  readonly notifications: number;
  readonly notificationBytes: number;
};

export function costsPerMinute({ traffic, seconds }: FollowFigures): MinuteCosts {
  const perMinute = (value: number) => (value * MINUTE_SECONDS) / seconds;
  const calls = sumTraffic(traffic, 'calls');
  const notifications = sumTraffic(traffic, 'notifications');
  return {
    calls: perMinute(calls.calls),
    callBytes: perMinute(calls.bytes),
    notifications: perMinute(notifications.calls),
    notificationBytes: perMinute(notifications.bytes),
  };
}

export type DropFigures = {
  /** From the end of the drop until the server is as current as before. */
  readonly seconds: number;
  readonly traffic: TrafficFigures;
};

/** Drops all sockets for some seconds, and waits until the server is current. */
export async function measureDrop(
  node: MainnetProcess,
  url: string,
  { seconds, maxLag, maxSeconds }: { seconds: number; maxLag: number; maxSeconds: number },
): Promise<DropFigures> {
  const before = await node.figures();
  const { confirmedSlot } = await node.send({ kind: 'drop', seconds });
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1_000;
  for (;;) {
    const served = await readServedSlot(url);
    const lag = await readLag(node, url);
    const isCurrent = Number(served ?? 0) > confirmedSlot && lag !== undefined && lag <= maxLag;
    if (isCurrent || elapsed() > maxSeconds) break;
    await pause(LAG_POLL_MS);
  }
  const after = await node.figures();
  return { seconds: elapsed(), traffic: trafficBetween(before.traffic, after.traffic) };
}

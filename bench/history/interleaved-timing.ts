import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { median } from '../compare/median.ts';
import type { TimedResponse } from './timing-client.ts';

/** A URL to time, and an action before each request. */
export type TimedTarget = {
  readonly name: string;
  readonly url: string;
  readonly before?: () => void;
};

/** Milliseconds of each round. */
export type Times = ReadonlyMap<string, readonly number[]>;

export type TimingClient = {
  request(url: string): Promise<TimedResponse>;
  stop(): void;
};

export function startTimingClient(): TimingClient {
  const child: ChildProcess = fork(new URL('timing-client.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  return {
    async request(url) {
      child.send(url);
      const [timed] = (await once(child, 'message')) as [TimedResponse];
      if (timed.status !== 200) throw new Error(`${timed.status} from ${url}`);
      return timed;
    },
    stop: () => child.kill(),
  };
}

const WARM_UPS = 3;

/** Times all in turns, forwards and backwards, so that other load affects all equally; the first round warms up. */
export async function timeInterleaved(
  client: TimingClient,
  contenders: readonly TimedTarget[],
  rounds: number,
): Promise<Times> {
  const times = new Map(contenders.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? contenders : contenders.toReversed()) {
      each.before?.();
      const { ms } = await client.request(each.url);
      if (round >= 0) times.get(each.name)?.push(ms);
    }
  }
  return times;
}

/** Ratio of the times of each round. */
export function ratiosOf(times: Times, one: string, other: string): readonly number[] {
  const others = times.get(other) ?? [];
  return (times.get(one) ?? []).map((ms, round) => ms / (others[round] ?? Number.NaN));
}

export const medianTime = (times: Times, name: string): number => median(times.get(name) ?? []);

/** Compared servers must return the same data. */
export async function assertSameResponses(urls: readonly string[]): Promise<void> {
  const bodies = await Promise.all(urls.map(async (url) => (await fetch(url)).json()));
  for (const [i, body] of bodies.entries()) {
    if (!isDeepStrictEqual(body, bodies[0])) throw new Error(`${urls[i]} says something else`);
  }
}

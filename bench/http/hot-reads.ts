import { median } from '../compare/median.ts';
import {
  type BareServer,
  type MeasuredServer,
  measure,
  measureIdleCpu,
  type Round,
  readSample,
} from './measured-servers.ts';

/** Rounds of one read, on one Tidegate and on the bare server. */
export type HotRead = {
  readonly name: string;
  readonly ours: readonly Round[];
  readonly bare: readonly Round[];
};

export type Plan = {
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
  /** Time without requests, whose CPU time is not counted as that of requests. */
  readonly idleSeconds: number;
};

type Path = { readonly name: string; readonly path: string };

/**
 * Measures the most frequent reads of several Tidegates and of the bare server in turns. Slots pass meanwhile, so
 * Tidegate computes each answer again; the bare server keeps sending one sample.
 */
export async function measureHotReads(
  tidegates: readonly MeasuredServer[],
  bare: BareServer,
  plan: Plan,
): Promise<HotRead[][]> {
  const [first] = tidegates;
  if (first === undefined) return [];
  const slotsBefore = await Promise.all(tidegates.map(slotOf));
  const reads: HotRead[][] = tidegates.map(() => []);
  const idle = await Promise.all(
    tidegates.map((server) => measureIdleCpu(server, plan.idleSeconds)),
  );
  const contenders = [
    { server: bare, idleCpu: 0 },
    ...tidegates.map((server, i) => ({ server, idleCpu: idle[i] ?? 0 })),
  ];
  for (const { name, path } of await pathsOf(first)) {
    await bare.show(await readSample(first, path));
    const [theirs = [], ...ours] = await measureInTurns(contenders, path, plan);
    for (const [i, rounds] of ours.entries()) reads[i]?.push({ name, ours: rounds, bare: theirs });
  }
  const slotsAfter = await Promise.all(tidegates.map(slotOf));
  if (slotsAfter.some((slot, i) => slot === slotsBefore[i]))
    throw new Error('no slot passed during the measurement');
  return reads;
}

export function ratiosOf({ ours, bare }: HotRead): number[] {
  return ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN));
}

/** CPU time of the bare server in relation to the CPU time that a request adds on ours. */
export function cpuRatiosOf({ ours, bare }: HotRead): number[] {
  return ours.map(({ addedMicros }, round) => (bare[round]?.cpuMicros ?? Number.NaN) / addedMicros);
}

export function hotReadRow(read: HotRead): Record<string, string | number> {
  const { name, ours, bare } = read;
  const ratios = ratiosOf(read);
  const middle = (rounds: readonly Round[], figure: keyof Round, digits: number) =>
    Number(median(rounds.map((round) => round[figure])).toFixed(digits));
  return {
    read: name,
    'requests/s': middle(ours, 'perSecond', 0),
    'bare requests/s': middle(bare, 'perSecond', 0),
    ratio: Number(median(ratios).toFixed(2)),
    'lowest, highest': `${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}`,
    'p99 ms': middle(ours, 'p99', 1),
    'bare p99 ms': middle(bare, 'p99', 1),
    'bare CPU µs/request': middle(bare, 'cpuMicros', 1),
    'added CPU µs/request': middle(ours, 'addedMicros', 1),
    'CPU ratio': Number(median(cpuRatiosOf(read)).toFixed(2)),
    'main thread µs/request': middle(ours, 'mainMicros', 1),
    'all threads µs/request': middle(ours, 'cpuMicros', 1),
  };
}

type Contender = { readonly server: MeasuredServer; readonly idleCpu: number };

async function measureInTurns(
  contenders: readonly Contender[],
  path: string,
  { rounds, roundSeconds, warmUpSeconds }: Plan,
): Promise<Round[][]> {
  for (const { server, idleCpu } of contenders) {
    await measure(server, { path, seconds: warmUpSeconds, idleCpu });
  }
  const measured: Round[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...contenders.entries()];
    for (const [i, { server, idleCpu }] of round % 2 === 0 ? turns : turns.toReversed()) {
      measured[i]?.push(await measure(server, { path, seconds: roundSeconds, idleCpu }));
    }
  }
  return measured;
}

async function pathsOf({ url }: MeasuredServer): Promise<Path[]> {
  const list = async (path: string) =>
    (await (await fetch(`${url}${path}`)).json()) as Readonly<Record<string, string>>[];
  const market = (await list('/v2/svc-market'))[0]?.['lendingMarket'];
  const vault = (await list('/kvaults/vaults'))[0]?.['address'];
  return [
    { name: 'reserve metrics', path: `/svc-market/${market}/reserves/metrics` },
    { name: 'vault metrics', path: `/kvaults/vaults/${vault}/metrics` },
    { name: 'markets', path: '/v2/svc-market' },
    { name: 'tokens', path: '/tokens-api/tokens' },
  ];
}

async function slotOf({ url }: MeasuredServer): Promise<string | null> {
  return (await fetch(`${url}/v2/svc-market`)).headers.get('x-slot');
}

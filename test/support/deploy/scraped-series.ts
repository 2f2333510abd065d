import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTY_SAMPLES, GONE, HEALTHY_SAMPLES, SAMPLE_SECONDS } from './healthy-deployment.ts';
import { RULES, rulesFolder } from './promtool.ts';

/** Series of one scrape of all processes. `at`: seconds since 1970. */
export type Scrape = { readonly at: number; readonly values: ReadonlyMap<string, number> };

type ScrapedProcess = { readonly name: string; readonly url: string };

const SCRAPE_TIMEOUT_MS = 2_000;
const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const BEGIN = HEALTHY_SAMPLES * SAMPLE_SECONDS;
/** Growth per second from which on an age grows with time, and does not only vary. */
const AGEING = 0.5;

/** Names of the metrics that the rules use. */
export function metricsOfRules(): ReadonlySet<string> {
  const rules = readFileSync(join(rulesFolder, RULES), 'utf8');
  const names = rules.match(/\b(?:tidegate|process)_[a-z_]+\b/g) ?? [];
  return new Set(names);
}

/** What Prometheus gets from the processes, of the metrics that are used. */
export async function scrapeAll(
  processes: readonly ScrapedProcess[],
  used: ReadonlySet<string>,
): Promise<Scrape> {
  const texts = await Promise.all(processes.map(({ url }) => readMetrics(url)));
  const values = new Map<string, number>();
  for (const [i, { name }] of processes.entries()) {
    const text = texts[i];
    const labels = `job="tidegate",instance="${name}"`;
    values.set(`up{${labels}}`, text === undefined ? 0 : 1);
    for (const line of text?.split('\n') ?? []) {
      const [, metric = '', own = '', value = ''] = LINE.exec(line) ?? [];
      if (!used.has(metric)) continue;
      values.set(`${metric}{${labels}${own && `,${own}`}}`, Number(value));
    }
  }
  return { at: Date.now() / 1_000, values };
}

async function readMetrics(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(SCRAPE_TIMEOUT_MS);
    const response = await fetch(`${url}/metrics`, { signal });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

export type ObservedFault = {
  readonly before: Scrape;
  /** Two scrapes while the fault lasts. */
  readonly first: Scrape;
  readonly second: Scrape;
};

/** Series for promtool: healthy as before the fault, and then as if it went on as between its two scrapes. */
export function seriesOfFault({ before, first, second }: ObservedFault) {
  const names = new Set([...before.values.keys(), ...second.values.keys()]);
  return [...names].map((series) => {
    const healthy = before.values.get(series);
    const last = second.values.get(series);
    const start =
      healthy === undefined
        ? `_x${HEALTHY_SAMPLES}`
        : isTimestamp(series)
          ? samples(healthy - before.at, 1, HEALTHY_SAMPLES - 1)
          : samples(healthy, 0, HEALTHY_SAMPLES - 1);
    if (last === undefined) return { series, values: `${start} ${GONE}` };
    const earlier = first.values.get(series) ?? last;
    const growth = growthOf(series, (last - earlier) / (second.at - first.at));
    // the time of promtool starts at 0
    const value = isTimestamp(series) ? BEGIN + last - second.at : last;
    return { series, values: `${start} ${samples(value, growth, FAULTY_SAMPLES)}` };
  });
}

const isTimestamp = (series: string): boolean => /^[a-z_]+_timestamp_seconds\{/.test(series);
const isCounter = (series: string): boolean => /^[a-z_]+_(total|count|bucket)\{/.test(series);
const isAge = (series: string): boolean => /^[a-z_]+_(age_seconds|overdue_seconds)\{/.test(series);
const isQueue = (series: string): boolean => /^tidegate_history_writes_waiting\{/.test(series);

/** Per second, of a series that grew so between two scrapes. */
function growthOf(series: string, seen: number): number {
  if (isCounter(series) || isQueue(series)) return Math.max(seen, 0);
  const isGrowing = (isTimestamp(series) || isAge(series)) && seen >= AGEING;
  return isGrowing ? 1 : 0;
}

/** In the notation of promtool, which is no exponent. */
const samples = (start: number, growth: number, count: number): string =>
  `${start.toFixed(6)}+${(growth * SAMPLE_SECONDS).toFixed(6)}x${count}`;

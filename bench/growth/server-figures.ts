import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type MeasuredServer,
  measure,
  measureIdleCpu,
  startTidegate,
} from '../http/measured-servers.ts';
import { sized } from '../smoke.ts';
import { waitUntilRecorded } from '../start/first-recording.ts';

const SETTLE_MS = sized(20_000, 500);
const IDLE_SECONDS = sized(30, 0.5);
const HOT_SECONDS = sized(2, 0.1);
const DAY_MS = 86_400_000;
/** The same range at every size: what was not requested must not count. */
const REQUESTED_DAYS = sized(30, 1);

/** What one server costs, by work. */
export type ServerFigures = Readonly<Record<string, number>>;

type Environment = Readonly<Record<string, string>>;

/**
 * Starts a server twice in a folder and measures the second start, memory, idle CPU, reads and storage. The first load
 * is recorded before anything but the starts is measured.
 */
export async function measureServer(folder: string, env: Environment): Promise<ServerFigures> {
  const first = await startTidegate(folder, env);
  const firstStart = await first.cpuSeconds();
  await waitUntilRecorded(first.url);
  await stop(first);
  const server = await startTidegate(folder, env);
  try {
    const laterStart = await server.cpuSeconds();
    await waitUntilRecorded(server.url);
    await pause(SETTLE_MS);
    const resident = await metric(server, 'process_resident_memory_bytes');
    const idleCpu = await measureIdleCpu(server, IDLE_SECONDS);
    return {
      'first start, s CPU': firstStart,
      'later start, s CPU': laterStart,
      'resident memory, MB': resident / 1e6,
      'idle, % of a core': idleCpu * 100,
      ...(await measureReads(server, idleCpu)),
      'storage, MB': folderBytes(folder) / 1e6,
    };
  } finally {
    await stop(server);
  }
}

async function stop({ process: child }: MeasuredServer): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function metric({ url }: MeasuredServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

async function measureReads(server: MeasuredServer, idleCpu: number): Promise<ServerFigures> {
  const get = async (path: string) => (await fetch(`${server.url}${path}`)).json();
  const [market] = (await get('/v2/svc-market')) as { readonly lendingMarket: string }[];
  const hot = `/svc-market/${market?.lendingMarket}/reserves/metrics`;
  const reserves = (await get(hot)) as { readonly reserve: string }[];
  const range = `start=${new Date(Date.now() - REQUESTED_DAYS * DAY_MS).toISOString()}`;
  const before = await server.cpuSeconds();
  for (const { reserve } of reserves) {
    await get(`${hot.replace('/metrics', '')}/${reserve}/metrics/history?frequency=hour&${range}`);
  }
  const history = (await server.cpuSeconds()) - before;
  const { addedMicros } = await measure(server, { path: hot, seconds: HOT_SECONDS, idleCpu });
  return {
    'a hot read, µs CPU': addedMicros,
    [`${REQUESTED_DAYS} days of a reserve, ms CPU`]: (history * 1000) / reserves.length,
  };
}

/** Bytes of all files in a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

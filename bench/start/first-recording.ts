import { setTimeout as pause } from 'node:timers/promises';
import { readMetric } from '../../test/support/simulated-mainnet/served-slot.ts';
import { sized } from '../smoke.ts';

const MAX_SECONDS = sized(600, 30);
const POLL_MS = sized(1_000, 100);

/**
 * The first load is written to the history after the server is ready; the first sample follows it. Waits for it, and
 * returns how many seconds that took.
 */
export async function waitUntilRecorded(url: string): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const isRecorded = async () =>
    (await readMetric(url, 'tidegate_history_last_sample_timestamp_seconds')) > 0 &&
    (await readMetric(url, 'tidegate_history_writes_waiting')) === 0;
  while (!(await isRecorded())) {
    if (seconds() > MAX_SECONDS) throw new Error(`not recorded after ${MAX_SECONDS} s`);
    await pause(POLL_MS);
  }
  return seconds();
}

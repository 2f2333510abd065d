import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A run of several benchmarks simulates each embedded cluster once, in this folder. A server that starts with a copy
 * does not differ from one that simulated it. Undefined for a single benchmark, whose server simulates its own.
 */
const shared = process.env['BENCH_CLUSTERS'];

type Preparation = {
  /** Data folder of the server that is about to start. */
  readonly folder: string;
  /** `LOCALNET_DAYS` of that server. */
  readonly days: number;
  /** Starts a server with this data folder, and stops it when it is ready. */
  readonly simulate: (folder: string) => Promise<void>;
};

export async function copyPreparedCluster({ folder, days, simulate }: Preparation): Promise<void> {
  if (shared === undefined || existsSync(join(folder, 'localnet'))) return;
  const prepared = join(shared, `days-${days}`);
  if (!existsSync(prepared)) {
    const unfinished = `${prepared}.unfinished`;
    mkdirSync(unfinished, { recursive: true });
    await simulate(unfinished);
    renameSync(unfinished, prepared);
  }
  cpSync(prepared, folder, { recursive: true });
}

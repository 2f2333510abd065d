import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../waiting/wait-until.ts';

const POLL_MS = 50;

let prepared: Promise<string> | undefined;

/**
 * Fills a data folder with the embedded cluster and history of one simulated day. The first caller
 * of a test run creates them, which takes several seconds; all others get a copy.
 */
export async function copySimulatedDay(
  target: string,
  create: (folder: string) => Promise<void>,
): Promise<void> {
  prepared ??= prepare(create);
  cpSync(await prepared, target, { recursive: true });
}

async function prepare(create: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(process.env['TEST_RUN_FOLDER'] ?? '', 'simulated-day');
  if (isFirst(folder)) {
    const unfinished = `${folder}.unfinished`;
    await create(unfinished);
    renameSync(unfinished, folder);
  }
  await waitUntil(() => existsSync(folder), 'another worker has simulated a day', POLL_MS);
  return folder;
}

/** Test files run in several workers at the same time; only one of them creates the lock folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(`${folder}.lock`);
    return true;
  } catch {
    return false;
  }
}

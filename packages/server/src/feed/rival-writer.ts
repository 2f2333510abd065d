import { sleepUnlessAborted } from '../chain/retry.ts';
import type { RedisHead } from './redis-head.ts';

type Wait = {
  readonly signal: AbortSignal;
  readonly silentMs?: number | undefined;
};

/** Longer than a writer needs to begin again after an outage of its node. */
const SILENT_MS = 30_000;
const CHECKS = 10;

/** Resolves when whoever publishes has sent nothing for a while, or has left no head. */
export async function waitUntilSilent(store: RedisHead, options: Wait): Promise<void> {
  const { signal, silentMs = SILENT_MS } = options;
  let seen = await activityOf(store);
  let silentChecks = 0;
  while (seen !== undefined && silentChecks < CHECKS) {
    await sleepUnlessAborted(silentMs / CHECKS, signal);
    if (signal.aborted) return;
    const now = await activityOf(store);
    silentChecks = now === seen ? silentChecks + 1 : 0;
    seen = now;
  }
}

/** Changes with every message. */
async function activityOf(store: RedisHead): Promise<string | undefined> {
  const { text, head } = await store.read();
  if (head === undefined) return undefined;
  return `${text} ${await store.newestPosition(head)}`;
}

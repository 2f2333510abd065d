import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ATTEMPTS = 60;
const PAUSE_MS = 20;

/** Requests several paths until all responses are of one slot. */
export async function readAtOneSlot(url: string, paths: readonly string[]): Promise<unknown[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const responses = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
    const bodies = await Promise.all(responses.map((response) => response.json()));
    const failed = responses.findIndex(({ status }) => status !== 200);
    if (failed >= 0) {
      throw new Error(
        `${paths[failed]}: ${responses[failed]?.status} ${JSON.stringify(bodies[failed])}`,
      );
    }
    const slots = new Set(responses.map(({ headers }) => headers.get('x-slot')));
    if (slots.size === 1) return bodies;
    await sleep(PAUSE_MS);
  }
  throw new Error(`no common slot of ${paths.join(', ')}`);
}

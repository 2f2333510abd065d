import { waitUntil } from '../waiting/wait-until.ts';

/** Requests several paths until all responses are of one slot. */
export function readAtOneSlot(url: string, paths: readonly string[]): Promise<unknown[]> {
  return waitUntil(
    async () => {
      const responses = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
      const bodies = await Promise.all(responses.map((response) => response.json()));
      const failed = responses.findIndex(({ status }) => status !== 200);
      if (failed >= 0) {
        throw new Error(
          `${paths[failed]}: ${responses[failed]?.status} ${JSON.stringify(bodies[failed])}`,
        );
      }
      const slots = new Set(responses.map(({ headers }) => headers.get('x-slot')));
      return slots.size === 1 && bodies;
    },
    `a common slot of ${paths.join(', ')}`,
  );
}

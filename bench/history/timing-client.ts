import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

/** Time until the last byte of a response. */
export type TimedResponse = {
  readonly ms: number;
  readonly bytes: number;
  readonly status: number;
};

/** Sends the requested URLs one after the other, in its own process; only the end of a response is detected. */
const agent = new Agent({ keepAlive: true });

process.on('message', async (url: string) => {
  process.send?.(await timed(url));
});

async function timed(url: string): Promise<TimedResponse> {
  const start = performance.now();
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(answer, 'end');
  return { ms: performance.now() - start, bytes, status: answer.statusCode ?? 0 };
}

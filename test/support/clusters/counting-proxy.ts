import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type CountingProxy = {
  readonly url: URL;
  /** Calls by method since the last reset; a batch counts each of its calls. */
  readonly calls: ReadonlyMap<string, number>;
  /** Requests without a response. */
  pending(): number;
  reset(): void;
};

/** Forwards requests to a node and counts the calls. Stops with the test. */
export async function startCountingProxy(nodeUrl: string): Promise<CountingProxy> {
  const calls = new Map<string, number>();
  let pending = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const body: unknown = JSON.parse(text);
    for (const { method } of [body].flat() as { method: string }[]) {
      calls.set(method, (calls.get(method) ?? 0) + 1);
    }
    pending += 1;
    response.once('close', () => {
      pending -= 1;
    });
    const headers = { 'content-type': 'application/json' };
    const forwarded = request(nodeUrl, { method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      answer.pipe(response);
    });
    forwarded.once('error', () => response.destroy());
    forwarded.end(text);
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    calls,
    pending: () => pending,
    reset: () => calls.clear(),
  };
}

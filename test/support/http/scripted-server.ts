import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Answers a request. `count` is the number of requests before it. */
type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

type ScriptedServer = {
  readonly url: string;
  /** In the order of their arrival. */
  readonly requests: readonly IncomingMessage[];
  readonly openConnections: () => number;
};

/** A server of another program, for a client. Closes with the test. */
export async function startScriptedServer(handle: Handler): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    connections += 1;
    response.once('close', () => {
      connections -= 1;
    });
    void handle(request, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, openConnections: () => connections };
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Begins a stream of events that names a short delay for the next connection. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 1\n\n');
}

type EventFields = {
  readonly id?: string | number;
  readonly event: string;
  readonly data: unknown;
};

export const eventText = ({ id, event, data }: EventFields): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

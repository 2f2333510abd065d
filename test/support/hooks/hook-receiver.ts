import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OnEnd, onTestEnd } from '../processes/test-scope.ts';

export type ReceivedDelivery = {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly payload: {
    readonly type: string;
    readonly slot: string;
    readonly hook: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
};

type Respond = (delivery: ReceivedDelivery, response: ServerResponse) => void;

const accept: Respond = (_, response) => void response.writeHead(204).end();

/** An HTTP server on this machine that records what it receives. `respond` can be replaced at any time. */
export async function startHookReceiver(onEnd: OnEnd = onTestEnd) {
  const received: ReceivedDelivery[] = [];
  const receiver = { respond: accept };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const delivery = {
        id: String(request.headers['webhook-id']),
        path: request.url ?? '',
        headers: request.headers,
        body,
        payload: JSON.parse(body),
      };
      received.push(delivery);
      receiver.respond(delivery, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { receiver, received, port, url: `http://127.0.0.1:${port}/hook` };
}

/** Whether one of the signatures is that of the secret, computed by the specification. */
export function hasSignatureOf({ headers, body }: ReceivedDelivery, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

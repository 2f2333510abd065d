import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { ReceivedRpcRequest } from './fake-node.ts';

type LossyProxyOptions = {
  /** Whether a notification of this subscription is lost. */
  readonly loses: (subscription: ReceivedRpcRequest) => boolean;
  /** Called before a call over HTTP is forwarded. */
  readonly onCall?: (call: ReceivedRpcRequest) => Promise<void> | undefined;
};

type Node = { readonly rpcUrl: string; readonly wsUrl: string };

/** A proxy to a node that loses notifications without a sign. Stops with the test. */
export async function startLossyProxy(node: Node, options: LossyProxyOptions): Promise<Node> {
  const server = createServer((incoming, response) => void forward(incoming, response));
  const sockets = new WebSocketServer({ server });
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    for (const call of [JSON.parse(text)].flat()) await options.onCall?.(call);
    const headers = { 'content-type': 'application/json' };
    const forwarded = request(node.rpcUrl, { method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
    });
    forwarded.once('error', () => response.destroy());
    forwarded.end(text);
  };
  sockets.on('connection', (client) => connect(client, node.wsUrl, options));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { rpcUrl: `http://127.0.0.1:${port}/`, wsUrl: `ws://127.0.0.1:${port}/` };
}

function connect(client: WebSocket, wsUrl: string, { loses }: LossyProxyOptions): void {
  const upstream = new WebSocket(wsUrl);
  const isOpen = new Promise((resolve) => upstream.once('open', resolve));
  const requests = new Map<unknown, ReceivedRpcRequest>();
  const subscriptions = new Map<unknown, ReceivedRpcRequest>();
  client.on('message', (data: RawData) => {
    const text = String(data);
    const { id, method, params } = JSON.parse(text);
    requests.set(id, { method, params });
    void isOpen.then(() => upstream.send(text));
  });
  upstream.on('message', (data: RawData) => {
    const text = String(data);
    const { id, result, params } = JSON.parse(text);
    const requested = requests.get(id);
    if (requested !== undefined) subscriptions.set(result, requested);
    const subscription = subscriptions.get(params?.subscription);
    if (subscription === undefined || !loses(subscription)) client.send(text);
  });
  client.on('close', () => upstream.terminate());
  upstream.on('close', () => client.terminate());
  upstream.on('error', () => client.terminate());
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type CountedCall = {
  readonly method: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly responseBytes: number;
};

export type RpcCounter = { readonly url: URL; readonly calls: CountedCall[] };

/** Forwards JSON-RPC requests to a node, counts them and their bytes, and refuses methods that the node should not know. */
export async function startRpcCounter(
  nodeUrl: string,
  unknownMethods: readonly string[] = [],
): Promise<RpcCounter> {
  const calls: CountedCall[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const { id, method, params } = JSON.parse(body);
      const error = { code: -32601, message: 'Method not found' };
      const reply = unknownMethods.includes(method)
        ? JSON.stringify({ jsonrpc: '2.0', id, error })
        : await forward(nodeUrl, body);
      calls.push({ method, config: params?.[1] ?? {}, responseBytes: reply.length });
      response.end(reply);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), calls };
}

async function forward(nodeUrl: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(nodeUrl, { method: 'POST', headers, body })).text();
}

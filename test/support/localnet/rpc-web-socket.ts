import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export type RpcMessage = {
  id?: number;
  result?: unknown;
  error?: unknown;
  method?: string;
  params?: { subscription: number; result: { context: { slot: number }; value: unknown } };
};

/** A WebSocket to a node, closed with the test. */
export async function connectWebSocket(url: string) {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const heard: RpcMessage[] = [];
  const waiting = new Map<number, (message: RpcMessage) => void>();
  socket.on('message', (data) => {
    const message: RpcMessage = JSON.parse(data.toString());
    heard.push(message);
    waiting.get(message.id ?? 0)?.(message);
  });
  await once(socket, 'open');
  let id = 0;
  const call = async (method: string, params?: unknown): Promise<RpcMessage> => {
    const asked = ++id;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }));
    return new Promise((resolve) => waiting.set(asked, resolve));
  };
  /** A call comes back after everything that was sent before it. */
  const notices = async (method: string) => {
    await call('nothing');
    return heard.filter((message) => message.method === method);
  };
  return { socket, heard, call, notices };
}

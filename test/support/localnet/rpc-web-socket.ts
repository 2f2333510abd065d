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

/** A WebSocket to a node. Closes with the test. */
export async function connectWebSocket(url: string) {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const messages: RpcMessage[] = [];
  const pending = new Map<number, (message: RpcMessage) => void>();
  socket.on('message', (data) => {
    const message: RpcMessage = JSON.parse(data.toString());
    messages.push(message);
    pending.get(message.id ?? 0)?.(message);
  });
  await once(socket, 'open');
  let id = 0;
  const call = async (method: string, params?: unknown): Promise<RpcMessage> => {
    const requestId = ++id;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params }));
    return new Promise((resolve) => pending.set(requestId, resolve));
  };
  /** A call returns after everything that was sent before it. */
  const notifications = async (method: string) => {
    await call('nothing');
    return messages.filter((message) => message.method === method);
  };
  return { socket, messages, call, notifications };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

type Call = { readonly method: string; readonly params?: readonly unknown[] };

type Answer = Readonly<Record<string, unknown>>;

/** What a node says wrong. */
export type NodeFault = {
  /** Changes the body of a request. */
  alterRequest?(text: string): string;
  /** Changes the result of a call, which is a copy. */
  alterResult?(call: Call, result: unknown): unknown;
  /** Bytes of white space before a response. */
  padding?(call: Call): number;
  /** Whether the connection is reset in the middle of the response. */
  resets?(call: Call): boolean;
  /** Changes a notification. */
  alterNotification?(text: string): string;
  /** Whether a notification is lost. */
  loses?(notification: string): boolean;
  /** Milliseconds that a notification is late; other messages are on time. */
  lateMs?(notification: string): number;
};

export type FaultyNode = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  setFault(fault: NodeFault): void;
};

/** A proxy before a node that changes what the node says, over HTTP and WebSocket. Stops with the test. */
export async function startFaultyNode(node: {
  readonly rpcUrl: string;
  readonly wsUrl: string;
}): Promise<FaultyNode> {
  let fault: NodeFault = {};
  const alter = (call: Call, response: Answer) =>
    'result' in response
      ? { ...response, result: fault.alterResult?.(call, response['result']) ?? response['result'] }
      : response;
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const answer = await forward(node.rpcUrl, fault.alterRequest?.(text) ?? text);
    const call = JSON.parse(text);
    const altered = Array.isArray(answer) ? answer : alter(call, answer);
    const body = ' '.repeat(fault.padding?.(call) ?? 0) + JSON.stringify(altered);
    response.setHeader('content-type', 'application/json');
    if (fault.resets?.(call) !== true) response.end(body);
    else response.write(body.slice(0, body.length / 2), () => response.destroy());
  };
  const server = createServer((incoming, response) => {
    // the node stops with the test
    serve(incoming, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const upstream = new WebSocket(node.wsUrl);
    const early: string[] = [];
    socket.on('message', (data) => {
      const request = fault.alterRequest?.(String(data)) ?? String(data);
      if (upstream.readyState === WebSocket.OPEN) upstream.send(request);
      else early.push(request);
    });
    upstream.on('open', () => {
      for (const text of early) upstream.send(text);
    });
    upstream.on('message', (data) => {
      const sent = String(data);
      if (fault.loses?.(sent) === true) return;
      const text = fault.alterNotification?.(sent) ?? sent;
      const ms = fault.lateMs?.(text) ?? 0;
      if (ms === 0) socket.send(text);
      else setTimeout(() => socket.readyState === WebSocket.OPEN && socket.send(text), ms).unref();
    });
    upstream.on('error', () => socket.terminate());
    upstream.on('close', () => socket.terminate());
    socket.on('close', () => upstream.terminate());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    rpcUrl: `http://127.0.0.1:${port}/`,
    wsUrl: `ws://127.0.0.1:${port}/`,
    setFault(next) {
      fault = next;
    },
  };
}

async function forward(url: string, body: string): Promise<Answer | Answer[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  return (await response.json()) as Answer | Answer[];
}

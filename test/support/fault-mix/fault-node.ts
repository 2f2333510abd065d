import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import type { FaultyBehaviour, HttpReply, RpcAnswer, RpcCall } from './fault.ts';
import { connectSocket } from './fault-socket.ts';

type Node = { readonly rpcUrl: string; readonly wsUrl: string };

/** A proxy before a node, over HTTP and WebSocket, with the faults that are set. Stops with the test. */
export type FaultNode = Node & {
  setFaults(faults: readonly FaultyBehaviour[]): void;
  closeSockets(): void;
};

const JSON_HEADERS = { 'content-type': 'application/json' };

export async function startFaultNode(node: Node): Promise<FaultNode> {
  let faults: readonly FaultyBehaviour[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const reply = await answer(text, faults, node);
    if (reply === null) {
      response.destroy();
      return;
    }
    response.writeHead(reply.status, reply.headers);
    if (reply.isReset === true) {
      response.write(reply.body, () => response.destroy());
    } else response.end(reply.body);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client) => connectSocket(client, node.wsUrl, () => faults));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeSockets = () => {
    for (const client of sockets.clients) client.terminate();
  };
  onTestFinished(() => {
    closeSockets();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    rpcUrl: `http://127.0.0.1:${port}/`,
    wsUrl: `ws://127.0.0.1:${port}/`,
    closeSockets,
    setFaults(next) {
      faults = next;
    },
  };
}

async function answer(
  text: string,
  faults: readonly FaultyBehaviour[],
  node: Node,
): Promise<HttpReply | null> {
  const parsed = JSON.parse(text) as RpcCall | readonly RpcCall[];
  const calls: readonly RpcCall[] = [parsed].flat();
  const delayMs = Math.max(0, ...faults.map(({ answerDelayMs }) => answerDelayMs?.(calls) ?? 0));
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  for (const { reply } of faults) {
    const replaced = reply?.(calls);
    if (replaced !== undefined) return replaced;
  }
  const url = faults.find(({ rpcUrl }) => rpcUrl !== undefined)?.rpcUrl ?? node.rpcUrl;
  const request = faults.reduce((changed, each) => each.request?.(changed) ?? changed, text);
  const answered = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: request });
  const body = changeAnswers(calls, await answered.text(), faults);
  for (const fault of faults) {
    if (fault.body !== undefined) return fault.body(body);
  }
  return { status: answered.status, headers: JSON_HEADERS, body };
}

function changeAnswers(
  calls: readonly RpcCall[],
  text: string,
  faults: readonly FaultyBehaviour[],
): string {
  const isChanged = faults.some(({ result, batch }) => (result ?? batch) !== undefined);
  if (!isChanged) return text;
  const answers = JSON.parse(text) as RpcAnswer | readonly RpcAnswer[];
  const byId = new Map(calls.map((call) => [call.id, call]));
  const change = (each: RpcAnswer): RpcAnswer => {
    const call = byId.get(each['id']);
    if (call === undefined || !('result' in each)) return each;
    const result = faults.reduce<unknown>((value, fault) => {
      return fault.result === undefined ? value : fault.result(call, value);
    }, each['result']);
    return { ...each, result };
  };
  if (!Array.isArray(answers)) return JSON.stringify(change(answers as RpcAnswer));
  const changed = faults.reduce<readonly RpcAnswer[] | RpcAnswer>(
    (value, { batch }) =>
      batch === undefined || !Array.isArray(value) ? value : batch(value as readonly RpcAnswer[]),
    answers.map(change),
  );
  return JSON.stringify(changed);
}

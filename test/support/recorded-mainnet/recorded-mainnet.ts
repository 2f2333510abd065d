/**
 * A fake mainnet node over recorded accounts and transactions, to test how the server behaves in
 * front of the real cluster and its providers. It is written from the documentation of nodes and
 * shares no code with the server's reader or with localnet.
 *
 *     const node = await startRecordedMainnet();            // stops with the test
 *     const api = await startServer(node);                  // start-server.ts
 *     await waitUntilReady(api);
 *     node.faults.set({ webSocket: 'not-found' });          // node-faults.ts: one switch per fault
 *     node.state.setAccount(address, changed);              // opens a slot and notifies subscribers
 *
 * | file | content |
 * | --- | --- |
 * | recorded-set | the newest recording of each address, and transactions |
 * | edit-account | changes fields of recorded accounts |
 * | scenarios | sets of accounts: a complete cluster, a hostile market, unreadable accounts, … |
 * | node-state | accounts, slot, clock and transactions of the node |
 * | node-methods, account-json | HTTP requests |
 * | node-subscriptions | WebSocket subscriptions |
 * | node-faults | what providers do wrong |
 * | start-server | a Tidegate in this process that serves the node as mainnet-beta |
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { type OnEnd, onTestEnd } from '../processes/test-scope.ts';
import {
  FaultSwitches,
  type NodeFaults,
  type Reply,
  type RpcRequest,
  rpcError,
  toJson,
} from './node-faults.ts';
import { createNodeMethods } from './node-methods.ts';
import { type NodeStart, NodeState } from './node-state.ts';
import { NodeSubscriptions } from './node-subscriptions.ts';
import { recordedTransactions } from './recorded-set.ts';
import { RECORDED_AT } from './recorded-time.ts';
import { completeCluster } from './scenarios.ts';

export type RecordedMainnet = {
  readonly rpcUrl: URL;
  readonly wsUrl: URL;
  readonly state: NodeState;
  readonly faults: FaultSwitches;
  /** Chain time in milliseconds, which passes with the slots and runs on if they stop. */
  readonly clock: () => number;
  /** The methods of all HTTP requests so far. */
  readonly requests: readonly string[];
  /** Programs and filters of all `getProgramAccounts` so far that did not only list addresses, as text. */
  readonly scans: readonly string[];
};

type NodeOptions = {
  /** Defaults to the complete cluster. */
  readonly accounts?: readonly KeyedAccount[];
  /** Defaults to the time of the recordings. */
  readonly start?: NodeStart;
  readonly faults?: NodeFaults;
};

/** Real time per slot. A slot is 400 ms of chain time. */
const REAL_SLOT_MS = 100;
const SLOT_MS = 400;

type Answer = (request: RpcRequest) => Reply;

/** Starts a node on a free port. Its slot advances until the scope ends. */
export async function startRecordedMainnet(
  options: NodeOptions = {},
  onEnd: OnEnd = onTestEnd,
): Promise<RecordedMainnet> {
  const { accounts = completeCluster(), start = RECORDED_AT } = options;
  const state = new NodeState(start, accounts, recordedTransactions());
  const faults = new FaultSwitches();
  faults.set(options.faults ?? {});
  const requests: string[] = [];
  const scans: string[] = [];
  const reply = createNodeMethods(state, faults);
  const answer: Answer = (request) => {
    requests.push(request.method);
    if (isScan(request)) scans.push(scanOf(request));
    return faults.limitSize(reply(request));
  };
  const subscriptions = new NodeSubscriptions(state, faults);
  const webSockets = new WebSocketServer({ noServer: true });
  webSockets.on('connection', (socket) => serveSocket(socket, subscriptions));
  const server = createServer(
    (request, response) => void serve(answer, faults, { request, response }),
  );
  server.on('upgrade', (request, socket, head) => {
    if (!rejectUpgrade(socket, faults.current)) {
      webSockets.handleUpgrade(request, socket, head, (opened) => {
        webSockets.emit('connection', opened, request);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let ticks = 0;
  const ticker = setInterval(() => {
    ticks += 1;
    if (!faults.current.stoppedSlots) state.advance(1);
  }, REAL_SLOT_MS);
  onEnd(() => {
    clearInterval(ticker);
    for (const socket of webSockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const rpcUrl = new URL(`http://127.0.0.1:${port}/`);
  const wsUrl = new URL(`ws://127.0.0.1:${port}/`);
  const clock = () => Number(start.unix) * 1000 + ticks * SLOT_MS;
  return { rpcUrl, wsUrl, state, faults, clock, requests, scans };
}

type ScanParams = readonly [
  program: string,
  options?: { readonly filters?: unknown; readonly dataSlice?: unknown },
];

const isScan = ({ method, params }: RpcRequest): boolean =>
  method === 'getProgramAccounts' && (params as ScanParams)[1]?.dataSlice === undefined;

function scanOf({ params }: RpcRequest): string {
  const [program, options] = params as ScanParams;
  return JSON.stringify([program, options?.filters ?? []]);
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

async function serve(answer: Answer, faults: FaultSwitches, { request, response }: Exchange) {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { delayMs } = faults.current;
  if (delayMs !== undefined) await sleep(delayMs);
  const body: unknown = JSON.parse(text);
  if (Array.isArray(body) && faults.current.withoutBatches) {
    respond(response, rpcError(-32_600, 'Batch requests are not supported'), null);
    return;
  }
  if (!Array.isArray(body)) {
    const parsed = parseRequest(body);
    respond(response, answer(parsed), parsed.id);
    return;
  }
  const replies = body.map(parseRequest).map((each) => responseJson(answer(each), each.id));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(toJson(replies));
}

function respond(response: ServerResponse, reply: Reply, id: unknown): void {
  if ('status' in reply) {
    const { status, retryAfterSeconds } = reply;
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
    response.writeHead(status).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(toJson(responseJson(reply, id)));
}

const responseJson = (reply: Reply, id: unknown) => ({ jsonrpc: '2.0', ...reply, id });

function parseRequest(body: unknown): RpcRequest {
  const { id, method, params = [] } = body as Partial<RpcRequest>;
  return { id: id ?? null, method: String(method), params };
}

function serveSocket(socket: WebSocket, subscriptions: NodeSubscriptions): void {
  socket.on('message', (data) => {
    const request = parseRequest(JSON.parse(String(data)));
    const reply = subscriptions.replyTo(request, socket);
    socket.send(toJson(responseJson(reply, request.id)));
  });
  socket.on('close', () => subscriptions.removeSocket(socket));
}

/** Returns whether the fault was applied. */
function rejectUpgrade(socket: Duplex, { webSocket }: NodeFaults): boolean {
  if (webSocket === 'not-found') socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  if (webSocket === 'refused') socket.destroy();
  return webSocket !== undefined;
}

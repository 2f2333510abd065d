import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ClusterControls } from '#localnet/rpc/cluster-controls.ts';
import { formatJson, formattedJson, type Json } from '#localnet/rpc/json.ts';
import { controlMethods } from '#localnet/rpc/methods/control-methods.ts';
import { rpcMethods } from '#localnet/rpc/methods/methods.ts';
import { methodNotFound } from '#localnet/rpc/rpc-errors.ts';
import { handleRequest, parseRpcRequest, type RpcRequest } from '#localnet/rpc/server/json-rpc.ts';
import { hasCode } from '#server/errors.ts';
import type { MainnetNode } from './mainnet-node.ts';
import { MainnetSockets } from './mainnet-sockets.ts';
import { type ProgramScanText, scanProgram, scanProgramPage } from './program-scans.ts';
import type { Traffic } from './traffic.ts';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
/** Longer than a client keeps an idle connection. */
const KEEP_ALIVE_MS = 120_000;

type ScanMethod = (node: MainnetNode, params: unknown) => ProgramScanText;

export type MainnetRpcOptions = {
  readonly node: MainnetNode;
  readonly controls: ClusterControls;
  readonly traffic: Traffic;
  /** Whether it offers `getProgramAccountsV2`. */
  readonly hasPages: boolean;
};

/** JSON-RPC over HTTP and WebSocket on one port. Counts every call. */
export class MainnetRpcServer {
  readonly sockets: MainnetSockets;
  readonly #options: MainnetRpcOptions;
  readonly #scans: ReadonlyMap<string, ScanMethod>;
  readonly #server: Server;

  constructor(options: MainnetRpcOptions) {
    const { node, traffic, hasPages } = options;
    this.#options = options;
    this.#scans = new Map<string, ScanMethod>([
      ['getProgramAccounts', scanProgram],
      ...(hasPages ? [['getProgramAccountsV2', scanProgramPage] as const] : []),
    ]);
    this.sockets = new MainnetSockets(node, traffic);
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
    this.#server.on('upgrade', (request, socket, head) => {
      this.sockets.upgrade(request, socket, head);
    });
  }

  /** On any free port, which it returns. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.sockets.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const parsed = parseRpcRequest(body);
    const [call] = parsed.calls;
    this.#options.traffic.add(methodOf(parsed), { bytes: body.length });
    response.writeHead(200, JSON_HEADERS);
    if (!parsed.isBatch && call?.kind === 'call' && this.#scans.has(call.method)) {
      await this.#streamScan(call, response);
      return;
    }
    const answer = (await handleRequest(parsed, (...args) => this.#handle(...args))) ?? '';
    this.#options.traffic.add(methodOf(parsed), { bytes: answer.length });
    response.end(answer);
  }

  async #handle(method: string, params: unknown): Promise<Json> {
    const { node, controls, traffic } = this.#options;
    traffic.add(method, { calls: 1 });
    const scan = this.#scans.get(method);
    if (scan !== undefined) return this.#collect(method, scan(node, params));
    const control = controlMethods.get(method);
    if (control !== undefined) return control({ controls, node }, params);
    const rpcMethod = method === 'getProgramAccountsV2' ? undefined : rpcMethods.get(method);
    if (rpcMethod === undefined) throw methodNotFound();
    return rpcMethod(node, params);
  }

  /** A scan within a batch. */
  async #collect(method: string, scan: ProgramScanText): Promise<Json> {
    const texts: string[] = [scan.head];
    for await (const accounts of scan.accounts) texts.push(accounts);
    this.#options.traffic.add(method, { accounts: scan.generatedAccounts() });
    return formattedJson(texts.join('') + scan.tail());
  }

  /** Writes accounts while the client reads them, because hundreds of thousands do not fit into one text. */
  async #streamScan(
    { id, method, params }: { id: string | number | null; method: string; params: unknown },
    response: ServerResponse,
  ): Promise<void> {
    const { node, traffic } = this.#options;
    traffic.add(method, { calls: 1 });
    const write = async (chunk: string): Promise<void> => {
      traffic.add(method, { bytes: chunk.length });
      if (!response.write(chunk)) await once(response, 'drain');
    };
    try {
      const scan = this.#scans.get(method)?.(node, params);
      if (scan === undefined) throw methodNotFound();
      await write(`{"jsonrpc":"2.0","result":${scan.head}`);
      for await (const accounts of scan.accounts) {
        if (response.destroyed) return;
        await write(accounts);
      }
      await write(`${scan.tail()},"id":${JSON.stringify(id)}}`);
      traffic.add(method, { accounts: scan.generatedAccounts() });
    } catch (error) {
      if (!hasCode(error, 'RPC_REFUSAL')) throw error;
      const { rpcCode: code, reason: message, data } = error.context;
      await write(formatJson({ jsonrpc: '2.0', error: { code, message, data }, id }));
    }
    response.end();
  }
}

/** Bytes of a batch count for the method of its first call. */
function methodOf({ calls }: RpcRequest): string {
  const [call] = calls;
  return call !== undefined && 'method' in call ? call.method : 'unknown';
}

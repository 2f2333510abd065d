import { onTestFinished } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { type ClusterOptions, createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import type { RpcNode } from '#localnet/rpc/rpc-node.ts';
import { goldenCluster } from '../golden/golden.ts';

type RpcResponse = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly id?: unknown;
};

export type GoldenLocalnet = {
  readonly localnet: Localnet;
  readonly node: RpcNode;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Logged warnings and errors; empty for a correct localnet. */
  readonly failures: unknown[];
  /** Closes that many slots. */
  readonly advanceSlots: (slots: number) => void;
  readonly rpc: (method: string, params?: unknown) => Promise<RpcResponse>;
  readonly result: (method: string, params?: unknown) => Promise<unknown>;
  readonly post: (body: string, headers?: Record<string, string>) => Promise<Response>;
};

const SLOT_MS = 400;

/**
 * The golden accounts as a local cluster whose clock is controlled by the test. Stops with the
 * test.
 */
export async function startGoldenLocalnet(
  seed = 'test',
  options: Partial<ClusterOptions> = {},
): Promise<GoldenLocalnet> {
  let ms = 1_760_000_000_000;
  const failures: unknown[] = [];
  const fail: Logger['error'] = (context, message) => failures.push({ message, ...context });
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: fail, error: fail };
  const { accounts, at } = goldenCluster();
  const localnet = new Localnet({
    cluster: createLocalCluster({ accounts, origin: at, seed, ...options }),
    now: () => ms,
    log,
  });
  const { rpcUrl, wsUrl, node } = await localnet.addNode(0);
  onTestFinished(() => localnet.stop());

  const post: GoldenLocalnet['post'] = (body, headers) =>
    fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const rpc: GoldenLocalnet['rpc'] = async (method, params) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return (await response.json()) as RpcResponse;
  };
  return {
    localnet,
    node,
    rpcUrl,
    wsUrl,
    failures,
    post,
    rpc,
    advanceSlots: (slots) => {
      for (let i = 0; i < slots; i++) {
        ms += SLOT_MS;
        localnet.tick();
      }
    },
    result: async (method, params) => {
      const { result, error } = await rpc(method, params);
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
  };
}

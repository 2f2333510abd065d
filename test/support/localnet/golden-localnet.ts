import { onTestFinished } from 'vitest';
import type { Logger } from '#core/base/logger.ts';
import { type ClusterOptions, createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import type { RpcNode } from '#localnet/rpc/rpc-node.ts';
import { goldenCluster } from '../golden/golden.ts';

type RpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly id?: unknown;
};

export type GoldenLocalnet = {
  readonly localnet: Localnet;
  readonly endpoint: RpcNode;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** What was logged as a failure; a sound localnet has none. */
  readonly failures: unknown[];
  /** Lets that many slots pass. */
  readonly advanceSlots: (slots: number) => void;
  readonly rpc: (method: string, params?: unknown) => Promise<RpcAnswer>;
  readonly result: (method: string, params?: unknown) => Promise<unknown>;
  readonly post: (body: string, headers?: Record<string, string>) => Promise<Response>;
};

const SLOT_MS = 400;

/** The golden accounts as an embedded cluster whose clock only moves when it is told to; stopped with the test. */
export async function startGoldenLocalnet(
  seed = 'test',
  parts: Partial<ClusterOptions> = {},
): Promise<GoldenLocalnet> {
  let ms = 1_760_000_000_000;
  const failures: unknown[] = [];
  const fail: Logger['error'] = (facts, message) => failures.push({ message, ...facts });
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: fail, error: fail };
  const { accounts, at } = goldenCluster();
  const localnet = new Localnet({
    cluster: createLocalCluster({ accounts, origin: at, seed, ...parts }),
    now: () => ms,
    log,
  });
  const { rpcUrl, wsUrl, endpoint } = await localnet.addNode(0);
  onTestFinished(() => localnet.stop());

  const post: GoldenLocalnet['post'] = (body, headers) =>
    fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const rpc: GoldenLocalnet['rpc'] = async (method, params) => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return (await answer.json()) as RpcAnswer;
  };
  return {
    localnet,
    endpoint,
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

import type { Commitment, Logger, Slot } from '@tidegate/core/base';
import { EndpointFailover, type EndpointFailoverOptions } from './endpoints/endpoint-failover.ts';
import type { EndpointStatus } from './endpoints/endpoint-health.ts';
import { PollingSource } from './polling/polling-source.ts';
import { createRpcSource, type RpcSourceOptions } from './rpc/rpc-source.ts';
import type { ChainSource } from './source/chain-source.ts';
import type { StreamSource } from './source/stream.ts';
import { createGeyserSource } from './streams/geyser-source.ts';
import { ReconnectingStream, type StreamStatus } from './streams/reconnecting-stream.ts';
import { createWebSocketSource } from './streams/websocket-source.ts';

export type ClusterSourceOptions = {
  /** In order of preference; at least one. */
  readonly rpcUrls: readonly URL[];
  /** If empty and there is no gRPC endpoint, the cluster is polled. */
  readonly wsUrls: readonly URL[];
  /** Takes precedence over WebSocket. */
  readonly geyser?: { readonly url: URL; readonly token?: string } | undefined;
  readonly commitment: Commitment;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** Endpoints that are further behind the newest slot are used last. */
  readonly maxLagSlots?: bigint;
  /** How often subscribed programs are scanned if no endpoint sends updates. */
  readonly scanMs?: number;
  /** Overrides the default timing, for tests. */
  readonly timing?: SourceTiming | undefined;
};

/** Request timeouts, the probe interval, and pauses after failures. */
export type SourceTiming = Pick<RpcSourceOptions, 'timeoutMs' | 'scanTimeoutMs'> &
  Pick<EndpointFailoverOptions, 'probeMs' | 'cooldownMs' | 'retryMs'>;

type ClusterSourceStatus = {
  readonly requests: readonly EndpointStatus[];
  /** Empty if the cluster is polled. */
  readonly updates: readonly StreamStatus[];
};

/** One source for all endpoints of a cluster. */
export type ClusterSource = ChainSource & { status(): ClusterSourceStatus };

/** About 40 seconds. */
const DEFAULT_MAX_LAG_SLOTS = 100n;

export function createClusterSource(options: ClusterSourceOptions): ClusterSource {
  const { rpcUrls, commitment, clock, random, log, timing } = options;
  const maxLagSlots = options.maxLagSlots ?? DEFAULT_MAX_LAG_SLOTS;
  const readers = rpcUrls.map((url) =>
    createRpcSource({ url, commitment, clock, maxLagSlots, ...timing }),
  );
  const requests = new EndpointFailover(readers, { maxLagSlots, clock, random, log, ...timing });
  const streams = createStreams(options);
  if (streams.length === 0) {
    const scanMs = options.scanMs === undefined ? {} : { scanMs: options.scanMs };
    const polling = new PollingSource(requests, { clock, random, log, ...scanMs });
    return {
      ...delegate(polling),
      subscribe: (target, listener) => polling.subscribe(target, listener),
      close: () => polling.close(),
      status: () => ({ requests: requests.status(), updates: [] }),
    };
  }
  const newestSlot = () => requests.newestSlot();
  const updates = new ReconnectingStream(streams, { newestSlot, maxLagSlots, clock, random, log });
  return {
    ...delegate(requests),
    subscribe: (target, listener) => updates.subscribe(target, listener),
    close: () => {
      updates.close();
      requests.close();
    },
    status: () => ({ requests: requests.status(), updates: updates.status() }),
  };
}

function createStreams(options: ClusterSourceOptions): readonly StreamSource[] {
  const { geyser, wsUrls, commitment, timing } = options;
  const sockets = wsUrls.map((url) => createWebSocketSource({ url, commitment, ...timing }));
  if (geyser === undefined) return sockets;
  return [createGeyserSource({ ...geyser, commitment }), ...sockets];
}

function delegate(source: Omit<ChainSource, 'subscribe' | 'close'>) {
  return {
    name: source.name,
    commitment: source.commitment,
    ledger: source.ledger,
    getGenesisHash: () => source.getGenesisHash(),
    getSlotTime: () => source.getSlotTime(),
    getSlotDurationMs: () => source.getSlotDurationMs(),
    getAccounts: (...args: Parameters<ChainSource['getAccounts']>) => source.getAccounts(...args),
    scanProgram: (...args: Parameters<ChainSource['scanProgram']>) => source.scanProgram(...args),
    getLatestBlockhash: (minSlot?: Slot) => source.getLatestBlockhash(minSlot),
    simulate: (...args: Parameters<ChainSource['simulate']>) => source.simulate(...args),
  };
}

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
  /** The preferred one first; at least one. */
  readonly rpcUrls: readonly URL[];
  /** None, and no gRPC: followed by polling. */
  readonly wsUrls: readonly URL[];
  /** Preferred to WebSocket. */
  readonly geyser?: { readonly url: URL; readonly token?: string } | undefined;
  readonly commitment: Commitment;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** An endpoint this far behind the best one is passed over. */
  readonly maxLagSlots?: bigint;
  /** How often followed programs are read where no endpoint sends updates. */
  readonly scanMs?: number;
  /** Other than usual, where somebody would wait for it. */
  readonly timing?: SourceTiming | undefined;
};

/** How long an endpoint may take, how often it is looked after, and how long it is left alone after a failure. */
export type SourceTiming = Pick<RpcSourceOptions, 'timeoutMs' | 'scanTimeoutMs'> &
  Pick<EndpointFailoverOptions, 'probeMs' | 'cooldownMs' | 'retryMs'>;

type ClusterSourceStatus = {
  readonly requests: readonly EndpointStatus[];
  /** Empty when followed by polling. */
  readonly updates: readonly StreamStatus[];
};

/** A cluster behind all of its endpoints. */
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
  const streams = streamsOf(options);
  if (streams.length === 0) {
    const scanMs = options.scanMs === undefined ? {} : { scanMs: options.scanMs };
    const polling = new PollingSource(requests, { clock, random, log, ...scanMs });
    return {
      ...delegate(polling),
      subscribe: (followed, listener) => polling.subscribe(followed, listener),
      close: () => polling.close(),
      status: () => ({ requests: requests.status(), updates: [] }),
    };
  }
  const newestSlot = () => requests.newestSlot();
  const updates = new ReconnectingStream(streams, { newestSlot, maxLagSlots, clock, random, log });
  return {
    ...delegate(requests),
    subscribe: (followed, listener) => updates.subscribe(followed, listener),
    close: () => {
      updates.close();
      requests.close();
    },
    status: () => ({ requests: requests.status(), updates: updates.status() }),
  };
}

function streamsOf(options: ClusterSourceOptions): readonly StreamSource[] {
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

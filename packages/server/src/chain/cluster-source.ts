import type { Commitment, Logger } from '@tidegate/core/base';
import { CallPriorities, type CallPriority } from './budget/call-priorities.ts';
import type { OnRpcCall } from './budget/endpoint-meter.ts';
import type { RpcBudget } from './budget/rpc-budget.ts';
import { EndpointFailover, type EndpointFailoverOptions } from './endpoints/endpoint-failover.ts';
import type { EndpointStatus } from './endpoints/endpoint-health.ts';
import { SlotWitnesses } from './endpoints/slot-witnesses.ts';
import { type LadderStep, LadderUpdates } from './ladder/ladder-updates.ts';
import type { LadderTiming } from './ladder/source-ladder.ts';
import type { UpdateStream } from './ladder/step-run.ts';
import type { AbsenceCounts } from './polling/absent-accounts.ts';
import { PollingSource } from './polling/polling-source.ts';
import { createRpcSource, type RpcSourceOptions } from './rpc/rpc-source.ts';
import type { ChainSource } from './source/chain-source.ts';
import type { EndpointWitnesses } from './source/endpoint-witness.ts';
import type { LedgerReader } from './source/ledger-reader.ts';
import { type SourceAlarm, SourceAlarms } from './source/source-alarms.ts';
import type { StreamSource } from './source/stream.ts';
import type { ClockFallbackTiming } from './streams/clock-fallback.ts';
import { createGeyserSource } from './streams/geyser-source.ts';
import { ReconnectingStream } from './streams/reconnecting-stream.ts';
import type { SocketClusterOptions, SocketClusterTiming } from './streams/socket-cluster.ts';
import { createWebSocketSource } from './streams/websocket-source.ts';

export type ClusterSourceOptions = {
  /** In order of preference; at least one. */
  readonly rpcUrls: readonly URL[];
  /** If neither these nor the gRPC endpoint work, the cluster is polled. */
  readonly wsUrls: readonly URL[];
  /** Used before WebSocket. */
  readonly geyser?: { readonly url: URL; readonly token?: string } | undefined;
  readonly commitment: Commitment;
  /** Endpoints with another genesis hash are left out. */
  readonly genesisHash?: string | undefined;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** Endpoints that are further behind the newest slot are used last. */
  readonly maxLagSlots?: bigint;
  /** How often the accounts of subscribed programs are read if no endpoint sends updates. */
  readonly scanMs?: number;
  /** What may be used of each endpoint; not limited if omitted. */
  readonly budget?: RpcBudget | undefined;
  /** How often such programs are scanned for new accounts. */
  readonly discoverMs?: number;
  /** Observes every request. */
  readonly onCall?: OnRpcCall | undefined;
  /** Overrides the default timing, for tests. */
  readonly timing?: SourceTiming | undefined;
};

/** Request timeouts, the probe interval, and pauses after failures. */
export type SourceTiming = Pick<RpcSourceOptions, 'timeoutMs' | 'scanTimeoutMs'> &
  Pick<EndpointFailoverOptions, 'probeMs' | 'cooldownMs' | 'retryMs'> & {
    readonly ladder?: Partial<LadderTiming>;
    readonly clock?: Partial<ClockFallbackTiming>;
    readonly cluster?: Partial<SocketClusterTiming>;
  };

type ClusterSourceStatus = {
  readonly requests: readonly EndpointStatus[];
  /** Where updates come from. */
  readonly updates: ReturnType<LadderUpdates['status']>;
  readonly alarms: readonly SourceAlarm[];
  /** Of polled accounts. */
  readonly absences: AbsenceCounts;
};

/** One source for all endpoints of a cluster. */
export type ClusterSource = ChainSource & {
  status(): ClusterSourceStatus;
  /** The ledger of each endpoint by itself. `ledger` is the one of whichever answers. */
  ledgers(): readonly LedgerReader[];
  /** The step lost updates: another one takes over if there is one. */
  reportLoss(step: string, reason: string): void;
  /** Gives a priority to all requests of the work, also those that it leaves running. Other requests are `live`. */
  withPriority<Value>(priority: CallPriority, work: () => Value): Value;
};

/** About 40 seconds. */
const DEFAULT_MAX_LAG_SLOTS = 100n;

export function createClusterSource(options: ClusterSourceOptions): ClusterSource {
  const { rpcUrls, commitment, clock, random, log, budget, onCall } = options;
  const { ladder, clock: _, cluster: __, ...timing } = options.timing ?? {};
  const maxLagSlots = options.maxLagSlots ?? DEFAULT_MAX_LAG_SLOTS;
  const now = () => performance.now();
  const priorities = budget && new CallPriorities();
  const alarms = new SourceAlarms(clock);
  const witnesses = new SlotWitnesses({ now, maxLagSlots, log });
  const newestSlot = () => witnesses.newestSlot();
  const metered = { budget, onCall, priority: priorities && (() => priorities.current()) };
  const readers = rpcUrls.map((url) =>
    createRpcSource({
      url,
      commitment,
      clock,
      maxLagSlots,
      newestSlot,
      alarms,
      ...metered,
      ...timing,
    }),
  );
  const { genesisHash } = options;
  const failover = { maxLagSlots, clock, random, log, genesisHash, now, witnesses, alarms };
  const requests = new EndpointFailover(readers, { ...failover, ...timing });
  const polling = openPolling(requests, options);
  const updates = new LadderUpdates(
    [
      ...streamSteps(options, { requests, witnesses, alarms }),
      { name: 'polling', open: () => pollingStep(polling) },
    ],
    { newestSlot, now, random, log, timing: ladder },
  );
  return {
    ...requests.reads,
    // the polling source compares later polls with what was read before
    getAccounts: (...args) => polling.getAccounts(...args),
    scanProgram: (...args) => polling.scanProgram(...args),
    subscribe: (target, listener) => updates.subscribe(target, listener),
    witnesses: openWitnesses(requests, alarms),
    close: () => {
      updates.close();
      polling.close();
      requests.close();
    },
    status: () => ({
      requests: requests.status(),
      updates: updates.status(),
      alarms: alarms.status(),
      absences: polling.absences(),
    }),
    ledgers: () => requests.ledgers(),
    reportLoss: (step, reason) => updates.reportLoss(step, reason),
    withPriority: (priority, work) =>
      priorities === undefined ? work() : priorities.run(priority, work),
  };
}

const openWitnesses = (requests: EndpointFailover, alarms: SourceAlarms): EndpointWitnesses => ({
  all: () => requests.witnesses(),
  noteWrong: (source, reason) => alarms.raise('wrong-accounts', source, reason),
  noteMalformed: (source, reason) => alarms.raise('malformed-accounts', source, reason),
});

type SharedParts = {
  readonly requests: EndpointFailover;
  readonly witnesses: SlotWitnesses;
  readonly alarms: SourceAlarms;
};

/** gRPC and WebSocket, as far as they are configured. */
function streamSteps(options: ClusterSourceOptions, parts: SharedParts): LadderStep[] {
  const { geyser, wsUrls, commitment, clock, random, log } = options;
  const { timeoutMs, clock: clockTiming } = options.timing ?? {};
  const { requests, witnesses, alarms } = parts;
  const maxLagSlots = options.maxLagSlots ?? DEFAULT_MAX_LAG_SLOTS;
  const newestSlot = () => witnesses.newestSlot();
  const open = (sources: readonly StreamSource[]) =>
    new ReconnectingStream(sources, { newestSlot, maxLagSlots, clock, random, log });
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const fallback = { readClock: () => requests.reads.getSlotTime(), log, timing: clockTiming };
  const cluster = compareSockets(options, parts);
  const socketOptions = { commitment, fallback, cluster, alarms, ...limit };
  const sockets = wsUrls.map((url) =>
    createWebSocketSource({ url, witness: witnesses.add(url.host), ...socketOptions }),
  );
  const grpc =
    geyser &&
    createGeyserSource({
      ...{ ...geyser, commitment, alarms, ...limit },
      witness: witnesses.add(geyser.url.host),
    });
  return [
    ...(grpc === undefined ? [] : [{ name: 'grpc' as const, open: () => open([grpc]) }]),
    ...(sockets.length === 0 ? [] : [{ name: 'websocket' as const, open: () => open(sockets) }]),
  ];
}

const compareSockets = (
  { commitment, timing }: ClusterSourceOptions,
  { requests, alarms }: SharedParts,
): SocketClusterOptions => ({
  commitment,
  alarms,
  genesisHash: async () => requests.knownGenesisHash() ?? (await requests.reads.getGenesisHash()),
  readAccount: async (address) => (await requests.reads.getAccounts([address])).accounts[0],
  timing: timing?.cluster,
});

const openPolling = (
  { reads }: EndpointFailover,
  { clock, random, log, scanMs, discoverMs }: ClusterSourceOptions,
): PollingSource =>
  new PollingSource(reads, {
    clock,
    random,
    log,
    ...(scanMs !== undefined && { scanMs }),
    ...(discoverMs !== undefined && { discoverMs }),
  });

/** Its requests stay in use when its subscriptions move to another step. */
const pollingStep = (polling: PollingSource): UpdateStream => ({
  subscribe: (target, listener) => polling.subscribe(target, listener),
  status: () => [],
  close: () => undefined,
});

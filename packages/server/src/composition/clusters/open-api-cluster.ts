import { type Address, toSlot } from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import type { Recording } from '../../clusters/recording.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { openUnprovenKinds } from '../../clusters/unknown-value-reasons.ts';
import type { UnprovenReason } from '../../clusters/unproven-kinds.ts';
import { FeedFollower, type FeedFollowerOptions } from '../../feed/feed-follower.ts';
import type { FeedFacts, FeedReply } from '../../feed/feed-message.ts';
import type { FeedSource } from '../../feed/feed-transport.ts';
import { WriterRequests } from '../../feed/writer-requests.ts';
import type { History } from '../../history/open-history.ts';
import { decodeStakePoolOf } from '../../indexer/recording/stake-pools.ts';
import { type ClusterPrograms, NO_PROGRAMS } from '../../programs/cluster-programs.ts';
import { openApiHistory } from './api-history.ts';
import type { ClusterConfig, ClusterSettings } from './cluster-config.ts';
import { openBlockhashes, openConfigCheck, requestsTo } from './cluster-requests.ts';
import { readFeedStatus } from './feed-status.ts';
import { openSource } from './follow-cluster.ts';
import { followProof } from './follow-proof.ts';
import { openTokenFigures, type RunningCluster } from './open-cluster.ts';
import { openApiHooks } from './open-hooks.ts';
import { followReleases } from './watch-programs.ts';

export type ApiClusterConfig = Omit<ClusterConfig, 'history' | 'replica' | 'feed'> & {
  readonly source: FeedSource;
  /** The cluster closes it. */
  readonly history: History;
  /** Whether it is a replica, which may be behind what the writer has recorded. */
  readonly isReplica: boolean;
};

const NO_DOUBTS: readonly UnprovenReason[] = [];
/** How long a request waits for the writer. */
const WRITER_WAIT_MS = 5_000;

/** Serves a cluster from the feed of its writer. Endpoints are used only for what a request needs. */
export function openApiCluster(
  config: ApiClusterConfig,
  settings: ClusterSettings,
): RunningCluster {
  const { log, clock, commitment } = settings;
  const source = openSource({ ...config, wsUrls: [] }, settings);
  const { observers, follower, requests } = openFollower(config, settings);
  const { reader } = follower;
  const facts = () => follower.facts();
  const unproven = openUnprovenKinds(reader, () => facts().status?.doubts ?? NO_DOUBTS);
  const configs = openConfigCheck(source, { reader, unproven, clock, log });
  const history = openApiHistory({ ...config, reader, facts, requests, log });
  const blockhashes = openBlockhashes(source, { reader, clock, log });
  const chain = requestsTo(source, blockhashes);
  const data = { ...chain, reader, history: history.reads.history };
  const tokenFigures = openTokenFigures(config, { ...data, clock, log });
  observers.add(history);
  observers.add({
    onSlot: () => void Promise.all([tokenFigures?.refreshIfStale(), configs.refreshIfStale()]),
  });
  const isComplete = () => facts().hasAllPositions === true;
  const parts = { follower, history, database: config.history };
  const served: Cluster = {
    ...{ env: config.env, registry: config.registry, commitment, reader, tokenFigures },
    ...followProof(facts, unproven),
    ...chain,
    hasAllPositions: isComplete,
    programs: () => programsOf(follower),
    marketTables: marketTablesOf(facts, requests),
    status: () => readFeedStatus({ ...settings, source: config.source, ...parts, chain: source }),
    ageMs: () => follower.ageMs(),
    ...loadsOfWriter(requests, isComplete),
    waitForSlot: (slot, timeoutMs) => follower.waitForSlot(toSlot(slot), timeoutMs),
  };
  const hookParts = { history: config.history, cluster: served, clock, requests };
  const recording: Recording = {
    ...history.reads,
    stakePools: memoizeStakePools(facts),
    positionGaps: { report: () => facts().positionGaps },
    hooks: openApiHooks(hookParts, settings),
    status: () => undefined,
    connections: () => config.history.pool?.(),
  };
  follower.start();
  return {
    cluster: { ...served, recording },
    failed: new Promise<never>(() => undefined),
    async stop() {
      blockhashes.close();
      await follower.stop();
      source.close();
      await config.history.close();
    },
  };
}

function openFollower(config: ApiClusterConfig, { clock, log, now }: ClusterSettings) {
  const observers = new FeedObservers();
  const rules = followReleases(config);
  const follower = new FeedFollower({
    ...{ source: config.source, rulesAt: rules.rulesAt, clock, log, now },
    onSlot: observers.onSlot,
    onReplaced: observers.onReplaced,
    onReply: observers.onReply,
  });
  const requests = new WriterRequests(config.source);
  observers.add({
    onSlot: () => {
      if (rules.update(programsOf(follower))) follower.reader.countNewRules();
    },
    onReply: (reply) => requests.onReply(reply),
  });
  return { observers, follower, requests };
}

const programsOf = (follower: FeedFollower): ClusterPrograms =>
  follower.facts().programs ?? NO_PROGRAMS;

type FeedObserver = Pick<FeedFollowerOptions, 'onSlot' | 'onReplaced' | 'onReply'>;

/** Passes on what the follower of the feed reports, to parts that are made after it. */
class FeedObservers implements Required<FeedObserver> {
  readonly #added: FeedObserver[] = [];

  add(observer: FeedObserver): void {
    this.#added.push(observer);
  }

  onSlot = (): void => {
    for (const observer of this.#added) observer.onSlot?.();
  };

  onReplaced = (): void => {
    for (const observer of this.#added) observer.onReplaced?.();
  };

  onReply = (reply: FeedReply): void => {
    for (const observer of this.#added) observer.onReply?.(reply);
  };
}

/** What only the writer can load, unless it has everything. */
function loadsOfWriter(
  requests: WriterRequests,
  isComplete: () => boolean,
): Pick<Cluster, 'loadWallet' | 'loadObligation'> {
  const load = async (kind: 'wallet' | 'obligation', address: Address) => {
    if (!isComplete()) await requests.send({ kind, address }, WRITER_WAIT_MS);
  };
  return {
    loadWallet: (owner) => load('wallet', owner),
    loadObligation: (address) => load('obligation', address),
  };
}

type FactsReader = () => Partial<FeedFacts>;

/** Decoded once per change. */
function memoizeStakePools(facts: FactsReader): () => ReadonlyMap<Address, StakePool> {
  let accounts: FeedFacts['stakePools'] | undefined;
  let pools: ReadonlyMap<Address, StakePool> = new Map();
  return () => {
    const { stakePools = [] } = facts();
    if (stakePools === accounts) return pools;
    accounts = stakePools;
    pools = new Map(
      stakePools.flatMap(([mint, account]) => {
        const pool = decodeStakePoolOf(mint, account);
        return pool === undefined ? [] : [[mint, pool]];
      }),
    );
    return pools;
  };
}

const marketTablesOf = (facts: FactsReader, requests: WriterRequests): Cluster['marketTables'] => ({
  tableOf: (market) => facts().marketTables?.find(([each]) => each === market)?.[1],
  request(market) {
    // in the background: a failure is repeated by the next request
    requests.send({ kind: 'marketTable', address: market }, WRITER_WAIT_MS).catch(() => undefined);
  },
});

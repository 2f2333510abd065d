import { toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { BlockhashCache } from '../../chain/blockhash-cache.ts';
import { type ClusterSource, createClusterSource } from '../../chain/cluster-source.ts';
import type { ConfigAccountCheck } from '../../clusters/config-account-check.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { SlotAge } from '../../clusters/slot-age.ts';
import { openUnprovenKinds } from '../../clusters/unknown-value-reasons.ts';
import type { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import { createIndexer, type Indexer } from '../../indexer/follow/indexer.ts';
import type { IndexerOptions } from '../../indexer/follow/indexer-options.ts';
import type { ClusterPrograms } from '../../programs/cluster-programs.ts';
import type { ProgramWatcher } from '../../programs/program-watcher.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ClusterConfig, ClusterSettings } from './cluster-config.ts';
import { ClusterObservers } from './cluster-observers.ts';
import { openBlockhashes, openConfigCheck, requestsTo } from './cluster-requests.ts';
import { type HookOptions, hookOptions } from './open-hooks.ts';
import { loadWallet } from './publish-state.ts';
import { genesisHashOf } from './verify-cluster.ts';
import { followReleases, watchPrograms } from './watch-programs.ts';

const DEFAULT_POLL_SECONDS = 15;
/** Loans and stakes are many, so they are polled less often. */
const POLLS_PER_USER_POLL = 8;

/** State, and what moves it. */
export type Following = {
  readonly observers: ClusterObservers;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  readonly indexer: Indexer;
  readonly watcher: ProgramWatcher;
  readonly age: SlotAge;
};

export function openFollowing(config: ClusterConfig, settings: ClusterSettings): Following {
  const { log, clock, timing } = settings;
  const observers = new ClusterObservers();
  const age = new SlotAge(settings.now ?? (() => performance.now()));
  observers.add({ onSlot: ({ slot }) => age.note(slot) });
  const source = openSource(config, settings);
  const rules = followReleases(config);
  const { rulesAt } = rules;
  const { onChange, onForget, onSlot, onRollBack, onUpdate, onGap } = observers;
  const state = new ClusterState({ log, rulesAt, onChange, onForget });
  const reports = { onSlot, onRollBack, onUpdate, onGap };
  const indexer = openIndexer(config.registry, settings, { source, state, log, ...reports });
  const onNewRules = () => state.countNewRules();
  const watched = { source, rules, onNewRules, clock, log, ...(timing && { timing }) };
  const watcher = watchPrograms(config, watched);
  return { observers, source, state, indexer, watcher, age };
}

/** What requests read beside the history. */
export type Reads = {
  readonly followed: ReturnType<typeof identityOf> & {
    readonly reader: ClusterState;
    readonly unproven: UnprovenKinds;
    readonly hasAllPositions: () => boolean;
    readonly programs: () => ClusterPrograms;
  };
  readonly configs: ConfigAccountCheck;
  readonly blockhashes: BlockhashCache;
  readonly requests: ReturnType<typeof readsOnDemand> & ReturnType<typeof requestsTo>;
  readonly hooks: HookOptions;
};

export function openReads(
  config: ClusterConfig,
  settings: ClusterSettings,
  { source, state, indexer, watcher }: Following,
): Reads {
  const followed = {
    ...identityOf(config, settings),
    reader: state,
    unproven: openUnprovenKinds(state, () => indexer.doubts()),
    hasAllPositions: () => indexer.status().allPositions,
    programs: () => watcher.programs(),
  };
  const configs = openConfigCheck(source, { ...followed, ...settings });
  const blockhashes = openBlockhashes(source, { ...settings, reader: state });
  const requests = { ...readsOnDemand(indexer, source), ...requestsTo(source, blockhashes) };
  const hooks = hookOptions(settings, { ...followed, ...requests });
  return { followed, configs, blockhashes, requests, hooks };
}

const identityOf = (
  { env, registry }: ClusterConfig,
  { commitment, historyMode = 'full' }: ClusterSettings,
): Pick<Cluster, 'env' | 'registry' | 'commitment' | 'historyMode'> => ({
  env,
  registry,
  commitment,
  historyMode,
});

function openIndexer(
  { markets, vaults, privateCreditVaults }: Registry,
  { obligations, pollSeconds = DEFAULT_POLL_SECONDS, ...settings }: ClusterSettings,
  target: Pick<
    IndexerOptions,
    'source' | 'state' | 'onSlot' | 'onRollBack' | 'onUpdate' | 'onGap' | 'log'
  >,
): Indexer {
  const { clock, timing, onProgress } = settings;
  const pollMs = pollSeconds * 1_000;
  return createIndexer({
    ...target,
    mode: obligations,
    clock,
    random: Math.random,
    ...(onProgress && { onProgress }),
    lookupTables: markets.map(({ lookupTable }) => lookupTable),
    known: { markets, vaults: [...new Set([...vaults, ...privateCreditVaults])] },
    timing: { pollMs, pollUsersMs: pollMs * POLLS_PER_USER_POLL, ...timing?.indexer },
  });
}

const readsOnDemand = (
  indexer: Indexer,
  source: ClusterSource,
): Pick<Cluster, 'marketTables' | 'loadWallet' | 'loadObligation' | 'waitForSlot'> => ({
  marketTables: indexer.marketTables,
  loadWallet: (owner) => source.withPriority('user', () => loadWallet(indexer, owner)),
  loadObligation: (address) => source.withPriority('user', () => indexer.loadObligation(address)),
  waitForSlot: (slot, timeoutMs) => indexer.waitForSlot(toSlot(slot), timeoutMs),
});

export const openSource = (
  { env, rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing, rpcBudget, onRpcCall, pollSeconds }: ClusterSettings,
): ClusterSource =>
  createClusterSource({
    rpcUrls,
    wsUrls,
    geyser,
    genesisHash: genesisHashOf(env),
    commitment,
    clock,
    log,
    random: Math.random,
    budget: rpcBudget?.value,
    onCall: onRpcCall,
    scanMs: (pollSeconds ?? DEFAULT_POLL_SECONDS) * 1_000,
    timing: timing?.source,
  });

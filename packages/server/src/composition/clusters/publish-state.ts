import { type Address, formatError, type Logger } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { DriftReader } from '../../clusters/drift-report.ts';
import type { ProofReader } from '../../clusters/proof-report.ts';
import type { SlotAge } from '../../clusters/slot-age.ts';
import { hasCode } from '../../errors.ts';
import type { FeedFacts, FeedFailure, FeedRequest } from '../../feed/feed-message.ts';
import type { FeedSink } from '../../feed/feed-transport.ts';
import { StatePublisher } from '../../feed/state-publisher.ts';
import type { Indexer } from '../../indexer/follow/indexer.ts';
import type { ClusterPrograms } from '../../programs/cluster-programs.ts';
import { parseHookCommand } from '../../webhooks/hook-command.ts';
import type { ClusterRecording } from '../recording/open-recording.ts';

type PublishedCluster = {
  readonly state: ClusterState;
  readonly indexer: Indexer;
  readonly source: Pick<ClusterSource, 'status'>;
  readonly recording: ClusterRecording | undefined;
  readonly proof: ProofReader | undefined;
  readonly age: SlotAge;
  readonly drift: DriftReader | undefined;
  readonly runningPrograms: () => ClusterPrograms;
  readonly log: Logger;
};

/** Time for the events of a slot, as a request may wait for them. */
const EVENTS_WAIT_MS = 1_000;

/** Publishes a followed cluster for other processes, and does the work that they request. */
export const publishState = (sink: FeedSink, cluster: PublishedCluster): StatePublisher =>
  new StatePublisher({
    sink,
    state: cluster.state,
    log: cluster.log,
    ageMs: () => cluster.age.ms,
    facts: () => factsOf(cluster),
    handle: (request) => handle(cluster, request),
  });

export async function loadWallet(indexer: Indexer, owner: Address): Promise<void> {
  await indexer.loadShares(owner);
  // last, because a gap of the wallet removes it from state
  await indexer.loadWallet(owner);
}

function factsOf({
  state,
  indexer,
  source,
  recording,
  proof,
  drift,
  runningPrograms,
}: PublishedCluster): FeedFacts {
  const [report, differences] = [proof?.report(), drift?.report()];
  const positionGaps = recording?.positionGaps.report();
  const { allPositions, missing, scans, lagSlots } = indexer.status();
  return {
    slotMs: state.slotMs(),
    completeShareMints: state.completeShareMints(),
    hasAllPositions: allPositions,
    status: {
      missing,
      refusedScans: scans.refused,
      lagSlots: Number(lagSlots),
      alarms: source.status().alarms,
      doubts: indexer.doubts(),
    },
    vaultHistoryVersion: recording?.vaultHistoryCache.version() ?? 0,
    marketTables: indexer.marketTables.found(),
    programs: runningPrograms(),
    stakePools: recording?.stakePoolAccounts() ?? [],
    ...(report && { proof: report }),
    ...(differences && { drift: differences }),
    ...(positionGaps && { positionGaps }),
    ...(recording && {
      events: { ...recording.eventProgress(), version: recording.recentEvents.version() },
    }),
  };
}

async function handle(
  cluster: PublishedCluster,
  request: FeedRequest,
): Promise<FeedFailure | undefined> {
  try {
    await carryOut(cluster, request);
    return undefined;
  } catch (error) {
    if (!hasCode(error, 'HISTORY_INCOMPLETE')) return { reason: formatError(error) };
    const { what, reason, retryAfterSeconds } = error.context;
    return { reason, incomplete: { what, retryAfterSeconds } };
  }
}

async function carryOut(
  { indexer, recording }: PublishedCluster,
  request: FeedRequest,
): Promise<void> {
  switch (request.kind) {
    case 'wallet':
      return await loadWallet(indexer, request.address);
    case 'obligation':
      return await indexer.loadObligation(request.address);
    case 'marketTable':
      return indexer.marketTables.request(request.address);
    case 'events':
      await recording?.waitForEvents(request.slot, EVENTS_WAIT_MS);
      return;
    case 'positions':
      return await recording?.positionHistory.require(request.positions);
    case 'flush':
      // the reply is the message
      return;
    case 'hook':
      return await recording?.executeHook(parseHookCommand(request.command));
  }
}

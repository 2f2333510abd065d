import type { Address, ChainTime, Logger, RawAccount } from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { VaultHistoryCache } from '../../clusters/vault-history-cache.ts';
import type { History } from '../../history/open-history.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { EventFollower } from '../../indexer/events/event-follower.ts';
import { OwnerIndex } from '../../indexer/events/owner-index.ts';
import { programDeployments } from '../../indexer/follow/account-sets.ts';
import { LiveRecorder } from '../../indexer/recording/live-recorder.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Config } from '../settings/settings.ts';

type RecordingSettings = Pick<Config, 'obligations'> & {
  /** For so many days samples by the minute are kept, and what came is as it came. */
  readonly minutesDays?: number;
  readonly rawDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly history: History;
  readonly registry: Registry;
  readonly state: ClusterState;
  readonly source: ClusterSource;
  readonly log: Logger;
};

/** What is written down of a cluster that is followed, and how it is read again. */
export type ClusterRecording = {
  readonly reader: HistoryReader;
  readonly vaultPasts: VaultHistoryCache;
  /** Before state is loaded. */
  start(): Promise<void>;
  note(address: Address, account: RawAccount | undefined): void;
  onSlot(at: ChainTime): void;
  stop(): Promise<void>;
};

const USUAL_DAYS = 30;

export function openRecording(settings: RecordingSettings): ClusterRecording {
  const { history, registry, state, source, clock, log } = settings;
  const { obligations, minutesDays = USUAL_DAYS, rawDays = USUAL_DAYS } = settings;
  const facts = new OwnerIndex(state);
  const events = new EventFollower({
    ...{ source, history, facts, clock, log, random: Math.random },
    programs: [
      ...programDeployments.klend,
      ...programDeployments.kvault,
      ...programDeployments.farms,
    ],
  });
  const recorder = new LiveRecorder({
    ...{ history, state, source, registry, facts, clock, log, minutesDays, rawDays },
    seesAll: obligations === 'all',
    onShares: (account) => events.shareAccountChanged(account),
  });
  const reader = createHistoryReader(history.db);
  const vaultPasts = new VaultHistoryCache({ history: reader, reader: state, log });
  let isFollowed = false;
  return {
    reader,
    vaultPasts,
    start: () => recorder.start(),
    note: (address, account) => recorder.note(address, account),
    onSlot(at) {
      recorder.onSlot(at);
      void vaultPasts.look();
      // once state is loaded, which tells whose the positions are
      if (!isFollowed) events.start();
      isFollowed = true;
    },
    async stop() {
      if (isFollowed) await events.stop();
      await recorder.stop();
    },
  };
}

import type { ClusterHooks } from '../../clusters/cluster-hooks.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { WriterRequests } from '../../feed/writer-requests.ts';
import { type ClusterHooksOptions, createClusterHooks } from '../../hooks/create-cluster-hooks.ts';
import type { HookRunnerOptions } from '../../hooks/hook-runner.ts';
import { type Network, systemNetwork } from '../../registry/pinned-request.ts';
import type { Config } from '../settings/settings.ts';
import type { ClusterRecording } from './open-recording.ts';
import type { RecordingWriterOptions } from './recording-writer.ts';

export type HookSettings = Partial<Pick<Config, 'webhookPrivateAddresses' | 'webhookLogDays'>> & {
  /** How the names of receivers are resolved; by default as the system does. */
  readonly webhookNetwork?: Network;
  readonly timing?: { readonly hooks?: HookRunnerOptions['timing'] };
};

export type HookOptions = RecordingWriterOptions['hooks'];

type Loaders = Pick<Cluster, 'loadWallet' | 'loadObligation'>;

const DEFAULT_LOG_DAYS = 30;

/** What webhooks of a followed cluster need beside its history. */
export const hookOptions = (
  settings: HookSettings,
  cluster: Omit<HookOptions['cluster'], keyof Loaders>,
  loaders: () => Loaders,
): HookOptions => ({
  cluster: {
    ...cluster,
    loadWallet: (owner) => loaders().loadWallet(owner),
    loadObligation: (address) => loaders().loadObligation(address),
  },
  network: settings.webhookNetwork ?? systemNetwork,
  allowsPrivate: settings.webhookPrivateAddresses ?? false,
  retentionDays: settings.webhookLogDays ?? DEFAULT_LOG_DAYS,
  timing: settings.timing?.hooks,
});

/** The webhooks of a cluster that this process follows. It changes them if it writes the history. */
export const openHooks = (
  { cluster, allowsPrivate, clock }: HookOptions & { readonly clock: () => number },
  recording: ClusterRecording,
): ClusterHooks =>
  createClusterHooks({
    history: recording.reader,
    execute: (command) => recording.executeHook(command),
    cluster,
    allowsPrivate,
    clock,
    status: () => recording.hookStatus(),
  });

/** A request may wait so long for the writer. */
const WRITER_WAIT_MS = 5_000;

type ApiHookOptions = Pick<ClusterHooksOptions, 'history' | 'cluster' | 'clock'> & {
  readonly requests: WriterRequests;
};

/** The webhooks of a cluster whose writer is another process, which carries out their changes. */
export const openApiHooks = (
  { requests, ...options }: ApiHookOptions,
  { webhookPrivateAddresses: allowsPrivate = false }: HookSettings,
): ClusterHooks =>
  createClusterHooks({
    ...options,
    allowsPrivate,
    execute: (command) =>
      requests.send({ kind: 'hook', command: JSON.stringify(command) }, WRITER_WAIT_MS),
    status: () => undefined,
  });

import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterHooks } from '../../clusters/cluster-hooks.ts';
import type { WriterRequests } from '../../feed/writer-requests.ts';
import { type Network, systemNetwork } from '../../registry/pinned-request.ts';
import {
  type ClusterHooksOptions,
  createClusterHooks,
} from '../../webhooks/create-cluster-hooks.ts';
import type { HookRunnerOptions } from '../../webhooks/hook-runner.ts';
import type { ClusterRecording } from '../recording/open-recording.ts';
import type { RecordingWriterOptions } from '../recording/recording-writer.ts';

export type HookSettings = Partial<Pick<Config, 'webhookPrivateAddresses' | 'webhookLogDays'>> & {
  /** How the names of receivers are resolved; by default as the system does. */
  readonly webhookNetwork?: Network;
  readonly timing?: { readonly hooks?: HookRunnerOptions['timing'] };
};

export type HookOptions = RecordingWriterOptions['hooks'];

const DEFAULT_LOG_DAYS = 30;

/** What webhooks of a followed cluster need beside its history. */
export const hookOptions = (
  settings: HookSettings,
  cluster: HookOptions['cluster'],
): HookOptions => ({
  cluster,
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

/** How long a request waits for the writer. */
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

import type { Logger } from '@tidegate/core/base';
import type { CodedError, ErrorCode } from './errors/index.ts';
import type { ClusterMetadata } from './genesis/cluster-metadata.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import type { AllowedCallers } from './rpc/server/access-check.ts';
import type { RpcUrls } from './rpc/server/rpc-server.ts';
import type { ClusterStep } from './simulation/cluster-step.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';
import type { SimulationProgress } from './simulation/simulate-history.ts';

export type LocalnetSettings = {
  /** RPC port on loopback; 0 for any free port. */
  readonly port: number;
  /** Who may call the RPC besides clients on loopback. */
  readonly allowedCallers: AllowedCallers;
  /** Folder with program binaries, or releases of the built-in model such as `klend@1.16`; empty for the newest ones. */
  readonly programs: string;
  /** Folder for the stored cluster and its wallet keys. */
  readonly dataFolder: string;
  /** Discards the stored cluster and simulates a new one. */
  readonly isFresh: boolean;
  /** Clock speed as a multiple of the wall clock. */
  readonly speed: number;
  /**
   * Parameters of the simulation. They must match a stored cluster; undefined means the stored
   * value or the default.
   */
  readonly seed: string | undefined;
  readonly days: number | undefined;
  /** Unix time in milliseconds. */
  readonly untilMs: number | undefined;
};

/** Days enough for all trailing figures of 30 days; a start that somebody waits for simulates no more (decision 46). */
export const DEFAULT_SIMULATION = { seed: 'tidegate', days: 31 };

type LocalnetInfo = RpcUrls & {
  readonly metadata: ClusterMetadata;
  readonly keysFolder: string;
  /** The parameters of its simulation. */
  readonly plan: GenesisPlan;
};

export type RunningLocalnet = LocalnetInfo & { stop(): Promise<void> };

export type OnProgress = (progress: SimulationProgress) => void;

/** Observers of the start. */
export type StartOptions = {
  readonly log: Logger;
  readonly onProgress: OnProgress;
  /** Without a recorder, the history is not stored. */
  readonly recorder?: SimulationRecorder | undefined;
  /** Aborts the start. Use `stop` afterwards. */
  readonly signal?: AbortSignal;
};

export type WorkerData = {
  readonly settings: LocalnetSettings;
  /** Whether the main thread records the simulated history. */
  readonly isRecorded: boolean;
  /** Simulates and stores the cluster, and ends without running it. */
  readonly isSimulationOnly: boolean;
};

/** Sent to the thread: one message was recorded, or the thread must stop. */
export type WorkerCommand = 'recorded' | 'stop';

/** Sent by the thread: progress, history to record, and the outcome. */
export type WorkerMessage =
  | { readonly kind: 'progress'; readonly progress: SimulationProgress }
  | { readonly kind: 'begun'; readonly plan: GenesisPlan; readonly metadata: ClusterMetadata }
  | { readonly kind: 'steps'; readonly steps: readonly ClusterStep[] }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stored' }
  | { readonly kind: 'started'; readonly localnet: LocalnetInfo }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly context: CodedError['context'] };

import type { CodedError, ErrorCode, Logger } from '@tidegate/core/base';
import type { ClusterMetadata } from './genesis/cluster-metadata.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import type { RpcUrls } from './rpc/server/rpc-server.ts';
import type { ClusterStep } from './simulation/cluster-step.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';
import type { SimulationProgress } from './simulation/simulate-history.ts';

export type LocalnetSettings = {
  /** Of its RPC on loopback; 0 for any free one. */
  readonly port: number;
  /** Folder with binaries of the programs; empty for our own model of them. */
  readonly programs: string;
  /** Where it is kept, with the keys of its wallets. */
  readonly folder: string;
  /** Plays it anew, whatever is kept. */
  readonly fresh: boolean;
  /** How much faster than the wall clock it runs. */
  readonly speed: number;
  /** What is to be played, or what must have been played; what is left open is as it is kept or as usual. */
  readonly seed: string | undefined;
  readonly days: number | undefined;
  /** Milliseconds since 1970. */
  readonly untilMs: number | undefined;
};

type StartedLocalnet = RpcUrls & {
  readonly facts: ClusterMetadata;
  readonly keys: string;
  /** What was played of it. */
  readonly plan: GenesisPlan;
};

export type RunningLocalnet = StartedLocalnet & { stop(): Promise<void> };

export type OnProgress = (played: SimulationProgress) => void;

/** Who wants to know of the start. */
export type StartOptions = {
  readonly log: Logger;
  readonly onPlayed: OnProgress;
  /** Nobody writes it down where there is none. */
  readonly diarist?: SimulationRecorder | undefined;
  /** Ends it while it starts; afterwards there is `stop`. */
  readonly signal?: AbortSignal;
};

/** What the thread begins with. */
export type WorkerData = {
  readonly settings: LocalnetSettings;
  /** Whether somebody writes down what is played. */
  readonly isWritten: boolean;
};

/** What the thread is told: that something it handed over is written, or that it is to end. */
export type WorkerCommand = 'written' | 'stop';

/** What the thread says: how far it is, what is to be written down, and then how it ended. */
export type WorkerMessage =
  | { readonly kind: 'played'; readonly played: SimulationProgress }
  | { readonly kind: 'begun'; readonly plan: GenesisPlan; readonly facts: ClusterMetadata }
  | { readonly kind: 'steps'; readonly steps: readonly ClusterStep[] }
  | { readonly kind: 'ended' }
  | { readonly kind: 'started'; readonly localnet: StartedLocalnet }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly context: CodedError['context'] };

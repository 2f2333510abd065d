import type { CodedError, ErrorCode, Logger } from '@tidegate/core/base';
import type { GenesisFacts } from './genesis/cluster-metadata.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import type { NodeUrls } from './rpc/server/rpc-server.ts';
import type { Step } from './simulation/cluster-step.ts';
import type { Diarist } from './simulation/simulate-cluster.ts';
import type { Played } from './simulation/simulate-history.ts';

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

type StartedLocalnet = NodeUrls & {
  readonly facts: GenesisFacts;
  readonly keys: string;
  /** What was played of it. */
  readonly plan: GenesisPlan;
};

export type RunningLocalnet = StartedLocalnet & { stop(): Promise<void> };

export type OnPlayed = (played: Played) => void;

/** Who wants to know of the start. */
export type LocalnetStarter = {
  readonly log: Logger;
  readonly onPlayed: OnPlayed;
  /** Nobody writes it down where there is none. */
  readonly diarist?: Diarist | undefined;
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
export type WorkerOrder = 'written' | 'stop';

/** What the thread says: how far it is, what is to be written down, and then how it ended. */
export type WorkerNews =
  | { readonly kind: 'played'; readonly played: Played }
  | { readonly kind: 'begun'; readonly plan: GenesisPlan; readonly facts: GenesisFacts }
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  | { readonly kind: 'ended' }
  | { readonly kind: 'started'; readonly localnet: StartedLocalnet }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly context: CodedError['context'] };

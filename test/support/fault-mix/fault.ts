import type { SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { ActiveCluster } from '../proof/active-cluster.ts';

export type RpcCall = {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
};

export type RpcAnswer = Readonly<Record<string, unknown>>;

/** What is sent instead of an answer; `reset` cuts the connection after the body. */
export type HttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  readonly isReset?: boolean;
};

/** A notification, with the request that subscribed to it. */
export type Notification = {
  readonly text: string;
  readonly subscribed: RpcCall | undefined;
};

export type Delivery = { readonly text: string; readonly delayMs: number };

/** What a node does while a fault lasts. Parts that are omitted are those of the healthy node. */
export type FaultyBehaviour = {
  /** Replaces the answer to a request; null cuts the connection. */
  readonly reply?: (calls: readonly RpcCall[]) => HttpReply | null | undefined;
  readonly answerDelayMs?: (calls: readonly RpcCall[]) => number;
  /** Changes the text of a request before the node gets it. */
  readonly request?: (text: string) => string;
  readonly result?: (call: RpcCall, result: unknown) => unknown;
  /** Changes the answers of a batch; an object is one error for all of it. */
  readonly batch?: (answers: readonly RpcAnswer[]) => readonly RpcAnswer[] | RpcAnswer;
  /** Changes the bytes of an answer. */
  readonly body?: (text: string) => HttpReply;
  readonly rpcUrl?: string;
  readonly wsUrl?: string;
  /** The text of a confirmation, which may be lost. */
  readonly confirmation?: (text: string) => string | undefined;
  readonly notification?: (notification: Notification) => readonly Delivery[];
  /** Called before each slot of the cluster. Returns how many slots pass. */
  readonly beforeSlot?: () => Promise<number | undefined> | number | undefined;
  /** A broken connection is opened again by the server. */
  readonly closesSockets?: () => boolean;
  readonly end?: () => Promise<void> | void;
};

type FaultContext = {
  readonly random: SeededRandom;
  readonly cluster: ActiveCluster;
  /** A node of another cluster, which is at the same slot. */
  readonly other: () => Promise<{
    readonly rpcUrl: string;
    readonly wsUrl: string;
    readonly advanceSlots: (slots: number) => void;
  }>;
};

/** Something that a node does wrong. */
export type Fault = {
  readonly name: string;
  /** What is wrong, as its table in docs/operations.md says. */
  readonly change: string;
  begin(context: FaultContext): FaultyBehaviour | Promise<FaultyBehaviour>;
};

/** The chance in percent. */
export const happens = (random: SeededRandom, percent: number): boolean =>
  random.between(1n, 100n) <= BigInt(percent);

export const onTime = (text: string): readonly Delivery[] => [{ text, delayMs: 0 }];

/** Of cluster time, in real time. */
export const REAL_SLOT_MS = 50;
export const slots = (count: number): number => count * REAL_SLOT_MS;

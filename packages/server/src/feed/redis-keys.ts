import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Describes the newest snapshot of a feed. A generation is a stream without missing messages: a writer begins another one
 * after Redis has lost data.
 */
export type FeedHead = {
  /** Higher than that of the head which it replaced. No other writer ever has it, whatever was restored. */
  readonly epoch: number;
  readonly generation: number;
  /** Number of the snapshot within the generation. */
  readonly snapshot: number;
  readonly chunks: number;
  readonly position: number;
  readonly completeAt: number;
  /** The process and its database, for messages. Missing in heads of earlier releases. */
  readonly writer?: string;
};

const Count = Type.Integer({ minimum: 0 });

const headValidator = Compile(
  Type.Object({
    epoch: Count,
    generation: Count,
    snapshot: Count,
    chunks: Count,
    position: Count,
    completeAt: Count,
    writer: Type.Optional(Type.String()),
  }),
);

/** Undefined if it is missing or was written by another release. */
export function parseHead(text: string | undefined): FeedHead | undefined {
  if (text === undefined) return undefined;
  const head: unknown = JSON.parse(text);
  return headValidator.Check(head) ? head : undefined;
}

/** More than two writers that begin within a millisecond could need. */
const RANDOM = 4_096;

/** The epoch of a writer that finds the head of another one. `now`: milliseconds since 1970. */
export const chooseEpoch = (found: FeedHead | undefined, now: number): number =>
  Math.max((found?.epoch ?? 0) + 1, now * RANDOM + randomInt(RANDOM));

type StreamName = Pick<FeedHead, 'epoch' | 'generation'>;

export const isSameStream = (a: StreamName, b: StreamName): boolean =>
  a.epoch === b.epoch && a.generation === b.generation;

/** Keys of the feed of a cluster. The braces keep them together in a Redis cluster. */
export const feedKeys = (prefix: string, env: string) => {
  const base = `{${prefix}:${env}}:feed`;
  const streamOf = ({ epoch, generation }: StreamName) => `${base}:${epoch}.${generation}`;
  return {
    head: `${base}:head`,
    requests: `${base}:requests`,
    messages: (name: StreamName) => `${streamOf(name)}:messages`,
    chunk: (head: Pick<FeedHead, 'epoch' | 'generation' | 'snapshot'>, index: number) =>
      `${streamOf(head)}:snapshot:${head.snapshot}:${index}`,
  };
};

export type FeedKeys = ReturnType<typeof feedKeys>;

/** The fields of entries of the two streams. */
export const MESSAGE_FIELD = 'message';
export const REQUEST_FIELD = 'request';

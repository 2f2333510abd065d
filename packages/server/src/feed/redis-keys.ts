import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Describes the newest snapshot of a feed. A writer that takes over has a higher epoch. A generation is a stream without
 * missing messages: a writer begins another one after Redis has lost data.
 */
export type FeedHead = {
  readonly epoch: number;
  readonly generation: number;
  /** Number of the snapshot within the generation. */
  readonly snapshot: number;
  readonly chunks: number;
  readonly position: number;
  readonly completeAt: number;
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
  }),
);

/** Undefined if it is missing or was written by another release. */
export function parseHead(text: string | undefined): FeedHead | undefined {
  if (text === undefined) return undefined;
  const head: unknown = JSON.parse(text);
  return headValidator.Check(head) ? head : undefined;
}

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

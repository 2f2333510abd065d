import type { FeedFailure, FeedRequest } from './feed-message.ts';

/** A message of the feed. Positions of a feed increase by one. */
export type PositionedMessage = { readonly position: number; readonly bytes: Uint8Array };

/** A copy of the writer's state while it changes. */
export type FeedSnapshot = {
  /** Messages after this position have to be applied to it. */
  readonly position: number;
  /** The state is that of one slot as soon as this message is applied. Read it after the chunks. */
  readonly completeAt: number;
  /** Encoded messages. Rejects if the snapshot was replaced meanwhile. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Messages after this position are sent after the call. Call it after the chunks. */
  newestPosition(): Promise<number>;
};

/** What follows a position. `superseded`: the rest is not available, so a new snapshot has to be loaded. */
export type FeedRead =
  | { readonly kind: 'messages'; readonly messages: readonly PositionedMessage[] }
  | { readonly kind: 'superseded'; readonly reason: string };

/** The reading end of a feed. All methods reject while the transport is not available. */
export type FeedSource = {
  /** For `/status`: `redis` or `local`. */
  readonly name: string;
  /** The newest snapshot; undefined while no writer has published one. */
  openSnapshot(): Promise<FeedSnapshot | undefined>;
  /** Waits for messages for about a second; the list may be empty. */
  read(after: number): Promise<FeedRead>;
  /** Sends a request to the writer. The reply is in a later message. */
  request(id: string, request: FeedRequest): Promise<void>;
  close(): void;
};

/** What a transport needs of the publisher. */
export type FeedOrigin = {
  /** Encoded messages with everything that the state has while they are read. */
  snapshot(): AsyncIterable<Uint8Array>;
  /** Publishes what has changed since the last message, even if nothing has. */
  flush(): void;
  handle(request: FeedRequest): Promise<FeedFailure | undefined>;
  reply(id: string, failure: FeedFailure | undefined): void;
};

/** The writing end of a feed. */
export type FeedSink = {
  /** Call it once, when the first state is complete. */
  open(origin: FeedOrigin): void;
  /** Sends a message after all earlier ones. Failures are handled by the sink. */
  publish(message: Uint8Array): void;
  close(): Promise<void>;
};

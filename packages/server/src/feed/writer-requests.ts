import { randomUUID } from 'node:crypto';
import { formatError } from '@tidegate/core/base';
import { CodedError } from '../errors.ts';
import type { FeedFailure, FeedReply, FeedRequest } from './feed-message.ts';
import type { FeedSource } from './feed-transport.ts';

type Pending = {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

/** Requests to the writer of a feed that wait for their replies. */
export class WriterRequests {
  readonly #source: Pick<FeedSource, 'request'>;
  readonly #pending = new Map<string, Pending>();

  constructor(source: Pick<FeedSource, 'request'>) {
    this.#source = source;
  }

  /** Resolves when state has everything that the writer did. Throws HISTORY_INCOMPLETE or SOURCE_UNAVAILABLE. */
  async send(request: FeedRequest, timeoutMs: number): Promise<void> {
    const id = randomUUID();
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) => {
        this.#pending.delete(id);
        reject(unavailable(reason));
      };
      const timer = setTimeout(() => fail('it does not respond'), timeoutMs);
      this.#pending.set(id, { resolve, reject, timer });
      this.#source.request(id, request).catch((error: unknown) => {
        clearTimeout(timer);
        fail(formatError(error));
      });
    });
  }

  onReply({ id, failure }: FeedReply): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (failure === undefined) pending.resolve();
    else pending.reject(toError(failure));
  }
}

function toError({ reason, incomplete }: FeedFailure): CodedError {
  if (incomplete === undefined) return unavailable(reason);
  return new CodedError('HISTORY_INCOMPLETE', { ...incomplete, reason });
}

const unavailable = (reason: string): CodedError =>
  new CodedError('SOURCE_UNAVAILABLE', { source: 'of the index process', reason });

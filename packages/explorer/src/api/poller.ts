import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '@tidegate/client';
import { isFinal, retryAfterOf } from './failure.ts';
import { updateInFrame } from './frame-updates.ts';
import { type Freshness, received } from './freshness.ts';
import { type ApiRequest, keyOf, revalidate } from './server.ts';
import { reserveStream } from './stream-pool.ts';
import { followUpdates, type StreamUpdate } from './updates.ts';

/** What is known of a URL. */
type PolledState = {
  readonly data: unknown;
  /** Of each response that the data is from. */
  readonly freshness: readonly Freshness[];
  readonly error: ApiError | undefined;
};

export const EMPTY_STATE: PolledState = { data: undefined, freshness: [], error: undefined };
const MAX_BACKOFF_MS = 60_000;
const RETRY_MS = 2_000;
/** Data that is polled at least so often is streamed instead, if the server can. */
const LIVE_MS = 5_000;
/** A block is drawn at most so often, although the data may change with each slot. */
const REDRAW_MS = 1_000;
/** How long the data is polled after a stream has failed. */
const STREAM_RETRY_MS = 60_000;
/** Resources that no block shows, for going back. */
const MAX_IDLE = 100;

/**
 * Requests one URL again and again, or streams its changes, while a block shows it and the page is visible. Data that is
 * shown stays until there is newer data.
 */
class Poller {
  readonly #request: ApiRequest;
  readonly #state = signal<PolledState>(EMPTY_STATE);
  readonly #intervals: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;
  #failures = 0;
  #etag: string | undefined;
  #completedAt = 0;
  /** Not streamed before this time, in milliseconds since 1970. */
  #streamAfter = 0;
  #isStreaming = false;
  /** What a stream has sent and is not drawn yet. */
  #latest: StreamUpdate | undefined;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = 0;

  constructor(request: ApiRequest) {
    this.#request = request;
  }

  get state(): ReadonlySignal<PolledState> {
    return this.#state;
  }

  get isIdle(): boolean {
    return this.#intervals.length === 0;
  }

  /** Polls at the shortest interval of all blocks. 0 requests once. Returns what ends it. */
  subscribe(intervalMs: number): () => void {
    this.#intervals.push(intervalMs);
    this.refreshIfDue();
    return () => {
      this.#intervals.splice(this.#intervals.indexOf(intervalMs), 1);
      if (this.isIdle) this.#stop();
    };
  }

  reload = (): void => {
    this.#stop();
    this.#failures = 0;
    void this.#load();
  };

  /** Called when the page becomes visible or goes online. */
  refreshIfDue(): void {
    if (this.isIdle || this.#abort !== undefined) return;
    clearTimeout(this.#timer);
    const delay = this.#delayMs();
    if (delay === undefined) return;
    const wait = this.#completedAt + delay - Date.now();
    if (wait <= 0) void this.#update();
    else this.#timer = setTimeout(() => this.refreshIfDue(), wait);
  }

  /** Time between two requests; undefined if there is nothing left to request. */
  #delayMs(): number | undefined {
    if (this.#completedAt === 0) return 0;
    const intervals = this.#intervals.filter((each) => each > 0);
    const { error } = this.#state.peek();
    if (error !== undefined) {
      if (isFinal(error)) return undefined;
      const backoff = Math.min(MAX_BACKOFF_MS, RETRY_MS * 2 ** (this.#failures - 1));
      return Math.max(backoff, retryAfterOf(error));
    }
    return intervals.length === 0 ? undefined : Math.min(...intervals);
  }

  /** Ends a stream while nobody sees the page. */
  suspend(): void {
    if (this.#isStreaming) this.#stop();
  }

  /** The first request is an ordinary one, because streams are not compressed. */
  async #update(): Promise<void> {
    const isLive = (this.#delayMs() ?? Number.POSITIVE_INFINITY) <= LIVE_MS;
    const isDue = this.#completedAt > 0 && Date.now() >= this.#streamAfter;
    const canStream =
      isLive && isDue && this.#failures === 0 && this.#request.operation.startsWith('GET ');
    const release = canStream && !document.hidden ? reserveStream() : undefined;
    if (release === undefined) await this.#load();
    else await this.#follow().finally(release);
  }

  /** Polls from now on if there is no stream, or when it has ended. */
  async #follow(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#isStreaming = true;
    // the next poll says what is wrong
    const hasStreamed = await followUpdates(
      this.#request,
      (update) => this.#draw(update),
      abort.signal,
    );
    if (this.#abort !== abort) return;
    this.#isStreaming = false;
    this.#abort = undefined;
    this.#streamAfter = hasStreamed ? 0 : Date.now() + STREAM_RETRY_MS;
    void this.#load();
  }

  #draw(update: StreamUpdate): void {
    clearTimeout(this.#redraw);
    this.#completedAt = Date.now();
    this.#etag = undefined;
    this.#latest = { ...this.#latest, ...update, data: update.data ?? this.#latest?.data };
    const wait = this.#drawnAt + REDRAW_MS - Date.now();
    this.#redraw = setTimeout(() => this.#apply(), Math.max(0, wait));
  }

  #apply(): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    this.#latest = undefined;
    this.#drawnAt = Date.now();
    updateInFrame(() => {
      const { data = this.#state.peek().data, freshness } = latest;
      this.#state.value = { data, freshness: [freshness], error: undefined };
    });
  }

  async #load(): Promise<void> {
    if (document.hidden && this.#completedAt > 0) return;
    const abort = new AbortController();
    this.#abort = abort;
    const result = await revalidate(this.#request, { etag: this.#etag, signal: abort.signal });
    if (abort.signal.aborted) return;
    if (result.ok) {
      this.#failures = 0;
      if (result.data.isChanged) this.#etag = result.data.etag;
      const freshness = [received(result.freshness)];
      updateInFrame(() => {
        const data = result.data.isChanged ? result.data.data : this.#state.peek().data;
        this.#state.value = { data, freshness, error: undefined };
      });
    } else {
      this.#failures += 1;
      this.#state.value = { ...this.#state.peek(), error: result.error };
    }
    this.#abort = undefined;
    this.#completedAt = Date.now();
    this.refreshIfDue();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#redraw);
    this.#abort?.abort();
    this.#abort = undefined;
    this.#isStreaming = false;
    this.#latest = undefined;
  }
}

const pollers = new Map<string, Poller>();

export function pollerOf(request: ApiRequest): Poller {
  const key = keyOf(request);
  const known = pollers.get(key);
  if (known !== undefined) return known;
  const poller = new Poller(request);
  const idle = [...pollers].filter(([, each]) => each.isIdle);
  for (const [name] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) pollers.delete(name);
  pollers.set(key, poller);
  return poller;
}

/** Polls again at once when the reader returns or the network does. A hidden page has no streams. */
export function watchPage(): void {
  const refresh = (): void => {
    for (const poller of pollers.values()) {
      if (document.hidden) poller.suspend();
      else poller.refreshIfDue();
    }
  };
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('online', () => {
    for (const poller of pollers.values()) if (!poller.isIdle) poller.reload();
  });
}

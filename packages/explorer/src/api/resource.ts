import { type ReadonlySignal, signal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { ApiError } from './api-error.ts';
import { type ApiRequest, type OperationName, requestUrl, send } from './client.ts';
import { updateInFrame } from './frame-updates.ts';
import { type Freshness, keepEstimates } from './freshness.ts';
import type { Operations } from './generated/operations.ts';

/** Data of the API as a block sees it. Data stays when a later request fails. */
export type Resource<Data> = {
  readonly data: Data | undefined;
  /** Of each response that the data is from. */
  readonly freshness: readonly Freshness[];
  readonly error: ApiError | undefined;
  readonly reload: () => void;
};

type State = Omit<Resource<unknown>, 'reload'>;

const EMPTY: State = { data: undefined, freshness: [], error: undefined };
const MAX_BACKOFF_MS = 60_000;
const RETRY_MS = 2_000;
/** Resources that no block shows, for going back. */
const MAX_IDLE = 100;

/** Requests one URL again and again while a block shows it and the page is visible. */
class Poller {
  readonly #request: ApiRequest;
  readonly #state = signal<State>(EMPTY);
  readonly #intervals: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;
  #failures = 0;
  #etag: string | undefined;
  #completedAt = 0;

  constructor(request: ApiRequest) {
    this.#request = request;
  }

  get state(): ReadonlySignal<State> {
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
    if (wait <= 0) void this.#load();
    else this.#timer = setTimeout(() => this.refreshIfDue(), wait);
  }

  /** Time between two requests; undefined if there is nothing left to request. */
  #delayMs(): number | undefined {
    if (this.#completedAt === 0) return 0;
    const intervals = this.#intervals.filter((each) => each > 0);
    const { error } = this.#state.peek();
    if (error !== undefined) {
      if (error.kind === 'not-found' || error.kind === 'invalid') return undefined;
      const backoff = Math.min(MAX_BACKOFF_MS, RETRY_MS * 2 ** (this.#failures - 1));
      return Math.max(backoff, error.retryAfterMs ?? 0);
    }
    return intervals.length === 0 ? undefined : Math.min(...intervals);
  }

  async #load(): Promise<void> {
    if (document.hidden && this.#completedAt > 0) return;
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const response = await send(this.#request, { etag: this.#etag, signal: abort.signal });
      this.#failures = 0;
      this.#etag = response.etag;
      updateInFrame(() => {
        const { data = this.#state.peek().data, freshness } = response;
        this.#state.value = { data, freshness: [freshness], error: undefined };
      });
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#failures += 1;
      const failure = error instanceof ApiError ? error : unexpected(error);
      this.#state.value = { ...this.#state.peek(), error: failure };
    }
    this.#abort = undefined;
    this.#completedAt = Date.now();
    this.refreshIfDue();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = undefined;
  }
}

const unexpected = (error: unknown): ApiError =>
  new ApiError({ kind: 'server', message: error instanceof Error ? error.message : String(error) });

const pollers = new Map<string, Poller>();

function pollerOf(request: ApiRequest): Poller {
  const { body } = request.arguments;
  const key = `${requestUrl(request)} ${body === undefined ? '' : JSON.stringify(body)}`;
  const known = pollers.get(key);
  if (known !== undefined) return known;
  const poller = new Poller(request);
  const idle = [...pollers].filter(([, each]) => each.isIdle);
  for (const [name] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) pollers.delete(name);
  pollers.set(key, poller);
  return poller;
}

/** Polls again at once when the reader returns or the network does. */
export function watchPage(): void {
  const refresh = (): void => {
    if (!document.hidden) for (const poller of pollers.values()) poller.refreshIfDue();
  };
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('online', () => {
    for (const poller of pollers.values()) if (!poller.isIdle) poller.reload();
  });
}

/** `pollMs`: 0 requests once. */
export type ResourceOptions = { readonly pollMs: number };

type DataOf<Name extends OperationName> = Operations[Name]['response'];

/** The data of several requests of one operation, in their order. */
export function useResources<Name extends OperationName>(
  requests: readonly ApiRequest<Name>[],
  { pollMs }: ResourceOptions,
): Resource<DataOf<Name>>[] {
  const key = JSON.stringify(requests);
  // the key has all of the requests
  const current = useMemo(() => requests.map(pollerOf), [key]);
  // before the paint, which would delay the request
  useLayoutEffect(() => {
    const ends = current.map((poller) => poller.subscribe(pollMs));
    return () => {
      for (const end of ends) end();
    };
  }, [current, pollMs]);
  return current.map((poller) => ({ ...poller.state.value, reload: poller.reload })) as Resource<
    DataOf<Name>
  >[];
}

const nothing: Resource<never> = { ...EMPTY, data: undefined, reload: () => undefined };

/** The data of one request. Requests nothing while `request` is undefined. */
export function useResource<Name extends OperationName>(
  request: ApiRequest<Name> | undefined,
  options: ResourceOptions,
): Resource<DataOf<Name>> {
  const [resource] = useResources(request === undefined ? [] : [request], options);
  return resource ?? nothing;
}

/**
 * Several resources as one. It has data when each has settled and one has data; the others are undefined in the list, so
 * that one failure does not hide the rest.
 */
export function combineResources<Data>(
  resources: readonly Resource<Data>[],
): Resource<readonly (Data | undefined)[]> {
  const isSettled = resources.every(({ data, error }) => data !== undefined || error !== undefined);
  const hasData = resources.length === 0 || resources.some(({ data }) => data !== undefined);
  return {
    data: isSettled && hasData ? resources.map(({ data }) => data) : undefined,
    freshness: resources.flatMap(({ freshness }) => freshness),
    error: resources.find(({ error }) => error !== undefined)?.error,
    reload: () => {
      for (const { error, reload } of resources) if (error !== undefined) reload();
    },
  };
}

/** A value computed from the data of a resource. */
export function mapResource<From, To>(
  resource: Resource<From>,
  map: (data: From) => To,
): Resource<To> {
  const { data } = resource;
  return { ...resource, data: data === undefined ? undefined : map(data) };
}

/** For a block that shows neither the past nor the estimated fields of a resource. */
export const withoutPast = <Data>(resource: Resource<Data>): Resource<Data> => ({
  ...resource,
  freshness: resource.freshness.map((each) => ({ ...each, gaps: [], estimated: [] })),
});

/** For a block that shows only some of the fields of a resource that can be estimated. */
export const withEstimates = <Data>(
  resource: Resource<Data>,
  shown: readonly string[],
): Resource<Data> => ({
  ...resource,
  freshness: resource.freshness.map((each) => keepEstimates(each, shown)),
});

/** Describes a request, with types by operation. */
export const apiRequest = <Name extends OperationName>(
  operation: Name,
  parts: ApiRequest<Name>['arguments'] = {},
): ApiRequest<Name> => ({ operation, arguments: parts });

import { CodedError } from '../../errors.ts';
import { ByteBudget } from './byte-budget.ts';
import { CallBucket } from './call-bucket.ts';
import type { CallPriority } from './call-priorities.ts';
import type { RpcBudget } from './rpc-budget.ts';
import { type Traffic, TrafficWindow } from './traffic-window.ts';

/** A request that has ended. */
export type RpcCallObservation = {
  readonly method: string;
  /** Host of the endpoint. */
  readonly endpoint: string;
  readonly ms: number;
  /** Code of the error. */
  readonly error: string | undefined;
};

export type OnRpcCall = (call: RpcCallObservation) => void;

export type EndpointMeterOptions = {
  /** Host of the endpoint. */
  readonly endpoint: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly budget?: RpcBudget | undefined;
  /** The priority of the current call; `live` if omitted. */
  readonly priority?: (() => CallPriority) | undefined;
  /** Observes every request. */
  readonly onCall?: OnRpcCall | undefined;
};

/** What was used of a method since the start. */
type MethodUsage = {
  readonly calls: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** By error code. */
  readonly errors: ReadonlyMap<string, number>;
  /** Requests per bucket, the last one without an upper bound. A batch is one request. */
  readonly durations: readonly number[];
  readonly totalSeconds: number;
};

export type EndpointUsage = {
  readonly lastMinute: Traffic;
  /** Of the UTC day, since the start of the process. */
  readonly today: Traffic;
  readonly methods: ReadonlyMap<string, MethodUsage>;
  /** Upper bounds of `durations` in seconds. */
  readonly durationBounds: readonly number[];
  /** Undefined without a budget. `bytesLeft`: of the UTC day. */
  readonly budget: (RpcBudget & { readonly bytesLeft: number | undefined }) | undefined;
};

/** Upper bounds in seconds. */
const durationBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Bytes of one request and its response. */
export type TransferredBytes = { readonly sent: number; readonly received: number };

/** The calls of a request: more than one in a batch. */
export type MeteredCalls = { readonly method: string; readonly calls: number };

type MutableUsage = {
  calls: number;
  sentBytes: number;
  receivedBytes: number;
  readonly errors: Map<string, number>;
  readonly durations: number[];
  totalSeconds: number;
};

/** Counts the calls of one endpoint, and lets each pass when the budget has room for it. */
export class EndpointMeter {
  readonly #options: EndpointMeterOptions;
  readonly #methods = new Map<string, MutableUsage>();
  readonly #traffic: TrafficWindow;
  readonly #bucket: CallBucket | undefined;
  readonly #bytes: ByteBudget | undefined;
  readonly #closed = new AbortController();

  constructor(options: EndpointMeterOptions) {
    const { clock, budget } = options;
    const { callsPerSecond: perSecond, bytesPerDay } = budget ?? {};
    this.#options = options;
    this.#traffic = new TrafficWindow(clock);
    const now = () => performance.now();
    this.#bucket = perSecond === undefined ? undefined : new CallBucket({ perSecond, now });
    this.#bytes = bytesPerDay === undefined ? undefined : new ByteBudget({ bytesPerDay, clock });
  }

  /** `send` reports the bytes of the exchange. Throws RPC_BUDGET_SPENT if the bytes of the day are used up. */
  async measure<Value>(
    { method, calls }: MeteredCalls,
    send: (report: (bytes: TransferredBytes) => void) => Promise<Value>,
  ): Promise<Value> {
    await this.#admit(calls);
    const startedAt = performance.now();
    let bytes: TransferredBytes = { sent: 0, received: 0 };
    let error: string | undefined = 'error';
    try {
      const value = await send((transferred) => {
        bytes = transferred;
      });
      error = undefined;
      return value;
    } catch (thrown) {
      if (thrown instanceof CodedError) error = thrown.code;
      throw thrown;
    } finally {
      const ms = performance.now() - startedAt;
      this.#count({ method, calls }, { ...bytes, ms, error });
      this.#options.onCall?.({ method, endpoint: this.#options.endpoint, ms, error });
    }
  }

  usage(): EndpointUsage {
    const { budget } = this.#options;
    return {
      lastMinute: this.#traffic.lastMinute(),
      today: this.#traffic.today(),
      methods: this.#methods,
      durationBounds,
      budget: budget && { ...budget, bytesLeft: this.#bytes?.left },
    };
  }

  /** Ends what waits for the pace of the day. */
  close(): void {
    this.#closed.abort();
  }

  async #admit(calls: number): Promise<void> {
    if (this.#options.budget === undefined) return;
    const priority = this.#options.priority?.() ?? 'live';
    this.#requireBytes();
    if (priority === 'backfill') await this.#bytes?.waitForPace(this.#closed.signal);
    await this.#bucket?.take(calls, priority);
    this.#requireBytes();
  }

  #requireBytes(): void {
    if (this.#bytes === undefined || this.#bytes.left > 0) return;
    const { endpoint } = this.#options;
    const retryAfterSeconds = this.#bytes.secondsToNextDay;
    throw new CodedError('RPC_BUDGET_SPENT', { endpoint, retryAfterSeconds });
  }

  #count(
    { method, calls }: MeteredCalls,
    { sent, received, ms, error }: TransferredBytes & Pick<RpcCallObservation, 'ms' | 'error'>,
  ): void {
    const usage = this.#methods.get(method) ?? emptyUsage();
    this.#methods.set(method, usage);
    usage.calls += calls;
    usage.sentBytes += sent;
    usage.receivedBytes += received;
    usage.totalSeconds += ms / 1000;
    const slower = durationBounds.findIndex((bound) => ms / 1000 <= bound);
    const bucket = slower < 0 ? durationBounds.length : slower;
    usage.durations[bucket] = (usage.durations[bucket] ?? 0) + 1;
    if (error !== undefined) usage.errors.set(error, (usage.errors.get(error) ?? 0) + 1);
    this.#traffic.add({ calls, bytes: sent + received });
    this.#bytes?.add(sent + received);
  }
}

const emptyUsage = (): MutableUsage => ({
  calls: 0,
  sentBytes: 0,
  receivedBytes: 0,
  errors: new Map(),
  durations: durationBounds.map(() => 0).concat(0),
  totalSeconds: 0,
});

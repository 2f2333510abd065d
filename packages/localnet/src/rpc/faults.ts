/** Furthest that a node can be behind and still have what it answers with. */
export const MAX_LAG_SLOTS = 256;

/** What becomes of an answer over HTTP. */
export type ResponseFault =
  | { readonly kind: 'status'; readonly status: number }
  /** The connection is closed without an answer. */
  | { readonly kind: 'drop' }
  /** The answer ends in the middle. */
  | { readonly kind: 'truncate' }
  /** The slot of its context is off by so many. */
  | { readonly kind: 'wrongSlot'; readonly by: number };

export type FaultSettings = {
  readonly lagSlots: number;
  /** Before every answer over HTTP. */
  readonly delayMs: number;
  readonly answer: ResponseFault | undefined;
  /** Which methods `delayMs` and `answer` are for; all of them if none is named. */
  readonly methods: readonly string[];
  /** How many answers `answer` spoils before it ends by itself; undefined for all. */
  readonly times: number | undefined;
  /** New WebSockets are refused, or all of them stay open and say nothing. */
  readonly webSockets: 'work' | 'refuse' | 'mute';
};

export const NO_FAULTS: FaultSettings = {
  lagSlots: 0,
  delayMs: 0,
  answer: undefined,
  methods: [],
  times: undefined,
  webSockets: 'work',
};

/** The faults that a node has at the moment. */
export class FaultInjector {
  #settings = NO_FAULTS;
  #timesLeft = Number.POSITIVE_INFINITY;

  set(settings: FaultSettings): void {
    this.#settings = settings;
    this.#timesLeft = settings.times ?? Number.POSITIVE_INFINITY;
  }

  get lagSlots(): bigint {
    return BigInt(this.#settings.lagSlots);
  }

  get webSockets(): FaultSettings['webSockets'] {
    return this.#settings.webSockets;
  }

  delayMsFor(methods: readonly string[]): number {
    return this.#concerns(methods) ? this.#settings.delayMs : 0;
  }

  /** The fault of the next answer; counts as used. */
  takeResponseFault(methods: readonly string[]): ResponseFault | undefined {
    const { answer } = this.#settings;
    if (answer === undefined || this.#timesLeft <= 0 || !this.#concerns(methods)) return undefined;
    this.#timesLeft--;
    return answer;
  }

  #concerns(methods: readonly string[]): boolean {
    const chosen = this.#settings.methods;
    return chosen.length === 0 || methods.some((method) => chosen.includes(method));
  }
}

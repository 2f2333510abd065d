/** Largest lag of a node that can still respond. */
export const MAX_LAG_SLOTS = 256;

/** A fault of an HTTP response. */
export type ResponseFault =
  | { readonly kind: 'status'; readonly status: number }
  /** Closes the connection without a response. */
  | { readonly kind: 'drop' }
  /** Truncates the response. */
  | { readonly kind: 'truncate' }
  /** Shifts the slot of the context. */
  | { readonly kind: 'wrongSlot'; readonly by: number };

export type FaultSettings = {
  readonly lagSlots: number;
  /** Before every HTTP response. */
  readonly delayMs: number;
  readonly answer: ResponseFault | undefined;
  /** Methods that `delayMs` and `answer` apply to; empty for all. */
  readonly methods: readonly string[];
  /** Number of responses that `answer` applies to; undefined for all. */
  readonly times: number | undefined;
  /** New WebSockets are rejected, or all stay open without sending. */
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

/** The current faults of a node. */
export class FaultInjector {
  #settings = NO_FAULTS;
  #timesLeft = Number.POSITIVE_INFINITY;

  set(settings: FaultSettings): void {
    this.#settings = settings;
    this.#timesLeft = settings.times ?? Number.POSITIVE_INFINITY;
  }

  /** The current faults, with the number of responses that are left. */
  save(): FaultSettings {
    const times = Number.isFinite(this.#timesLeft) ? this.#timesLeft : undefined;
    return { ...this.#settings, times };
  }

  get lagSlots(): bigint {
    return BigInt(this.#settings.lagSlots);
  }

  get webSockets(): FaultSettings['webSockets'] {
    return this.#settings.webSockets;
  }

  delayMsFor(methods: readonly string[]): number {
    return this.#appliesTo(methods) ? this.#settings.delayMs : 0;
  }

  /** The fault of the next response; counts it as used. */
  takeResponseFault(methods: readonly string[]): ResponseFault | undefined {
    const { answer } = this.#settings;
    if (answer === undefined || this.#timesLeft <= 0 || !this.#appliesTo(methods)) return undefined;
    this.#timesLeft--;
    return answer;
  }

  #appliesTo(methods: readonly string[]): boolean {
    const selected = this.#settings.methods;
    return selected.length === 0 || methods.some((method) => selected.includes(method));
  }
}

import type {
  CounterCharge,
  CounterReply,
  LimitCounters,
} from '#server/http/limits/limit-counters.ts';

type Entry = { readonly caller: string; readonly at: number; readonly units: number };

/** Counters that remember every charge and add them up each time. They count in thirtieths of a window. */
export class ModelCounters {
  readonly #entries: Entry[] = [];

  charge({ caller, quota, windowSeconds, spent, cost }: CounterCharge, now: number): CounterReply {
    const windowMs = windowSeconds * 1000;
    const sliceOf = (at: number) => Math.floor(at / (windowMs / 30));
    const slices = () => {
      const found = new Map<number, readonly [slice: number, units: number, addedAt: number]>();
      for (const { caller: owner, at, units } of this.#entries) {
        const slice = sliceOf(at);
        if (owner !== caller) continue;
        found.set(slice, [slice, (found.get(slice)?.[1] ?? 0) + units, at]);
      }
      return [...found.values()]
        .filter(([, , addedAt]) => addedAt + windowMs > now)
        .sort(([a], [b]) => a - b);
    };
    if (spent > 0) this.#entries.push({ caller, at: now, units: spent });
    const total = slices().reduce((sum, [, units]) => sum + units, 0);
    const allowed = total + cost <= quota;
    if (allowed && cost > 0) this.#entries.push({ caller, at: now, units: cost });
    return { allowed, now, slices: slices() };
  }

  /** As one process reaches it: a charge takes `latencyMs` each way. Rejects while `isAway`. */
  connect(latencyMs: number, isAway: () => boolean = () => false): LimitCounters {
    const travel = async (): Promise<void> => {
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    };
    return {
      charge: async (charge) => {
        if (isAway()) throw new Error('away');
        await travel();
        const reply = this.charge(charge, Date.now());
        await travel();
        return reply;
      },
    };
  }
}

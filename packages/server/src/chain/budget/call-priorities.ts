import { AsyncLocalStorage } from 'node:async_hooks';

/** Who waits for a call: a request, what is followed, or what is loaded in the background. Highest first. */
export const callPriorities = ['user', 'live', 'backfill'] as const;

export type CallPriority = (typeof callPriorities)[number];

/**
 * The priority of calls, given by whoever starts the work: everything that it awaits or starts has the same one. Before
 * the first `run` it costs nothing, so it is used only with a budget (docs/decisions/0025-call-priorities.md).
 */
export class CallPriorities {
  readonly #current = new AsyncLocalStorage<CallPriority>();

  run<Value>(priority: CallPriority, work: () => Value): Value {
    return this.#current.run(priority, work);
  }

  current(): CallPriority {
    return this.#current.getStore() ?? 'live';
  }
}

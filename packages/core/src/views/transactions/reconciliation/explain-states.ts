import type { Slot } from '../../../base/time.ts';

/** The state of a position, which it has from a slot on. */
export type RecordedState<State> = { readonly slot: Slot; readonly state: State };

/** What the events do not explain of a change; undefined if they explain all of it. */
export type FindDifference<State, Event> = (
  before: RecordedState<State>,
  after: RecordedState<State>,
  events: readonly Event[],
) => string | undefined;

export type Explained = {
  /** Index of the last state that the events explain, with all before it. */
  readonly explained: number;
  /** Why the next one, or what came after the last one, is not explained; undefined if everything is. */
  readonly difference: string | undefined;
};

/**
 * Whether each recorded state of a position follows from the one before it and the events in between. Both are ascending,
 * and events are after the slot of the first state. A state may include events of later slots, up to the next state:
 * while a source is polled, accounts are newer than the slot that is complete.
 */
export function explainStates<State, Event extends { readonly slot: Slot }>(
  states: readonly RecordedState<State>[],
  events: readonly Event[],
  findDifference: FindDifference<State, Event>,
): Explained {
  let used = 0;
  for (const [index, after] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined) continue;
    const first = countUpTo(events, after.slot);
    const next = states[index + 1];
    const last = next === undefined ? events.length : countUpTo(events, next.slot);
    const difference = findDifference(before, after, events.slice(used, first));
    const end =
      difference === undefined
        ? first
        : laterEnds(first, last).find(
            (count) => findDifference(before, after, events.slice(used, count)) === undefined,
          );
    if (end === undefined) return { explained: index - 1, difference };
    used = end;
  }
  const explained = states.length - 1;
  const newest = states[explained];
  if (newest === undefined) return { explained, difference: undefined };
  return { explained, difference: findDifference(newest, newest, events.slice(used)) };
}

/** More events than this after the slot of a state are not tried. */
const MAX_LATER_EVENTS = 32;

const laterEnds = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.min(last - first, MAX_LATER_EVENTS) }, (_, i) => first + i + 1);

/** The number of events up to the slot. */
function countUpTo(events: readonly { readonly slot: Slot }[], slot: Slot): number {
  const index = events.findIndex((event) => event.slot > slot);
  return index === -1 ? events.length : index;
}

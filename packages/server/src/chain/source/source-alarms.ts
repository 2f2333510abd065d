/**
 * How a source was caught saying something wrong. `leap`: a slot that no other source has reached. `other-cluster`:
 * another genesis hash. `subscription`: a notification of an unknown subscription. `skipped-slots`: slots without time that
 * explains them. `wrong-accounts`: accounts that other sources contradict. `malformed-accounts`: accounts that cannot exist.
 */
const kinds = [
  'leap',
  'other-cluster',
  'subscription',
  'skipped-slots',
  'wrong-accounts',
  'malformed-accounts',
] as const;

type SourceAlarmKind = (typeof kinds)[number];

export type SourceAlarm = {
  readonly kind: SourceAlarmKind;
  /** Since the start. */
  readonly count: number;
  /** `at`: epoch milliseconds. */
  readonly last:
    | { readonly source: string; readonly reason: string; readonly at: number }
    | undefined;
};

/** Counts what sources said that cannot be true. The log has it as the failure of the endpoint or connection. */
export class SourceAlarms {
  readonly #clock: () => number;
  readonly #alarms = new Map<SourceAlarmKind, SourceAlarm>();

  constructor(clock: () => number) {
    this.#clock = clock;
    for (const kind of kinds) this.#alarms.set(kind, { kind, count: 0, last: undefined });
  }

  raise(kind: SourceAlarmKind, source: string, reason: string): void {
    const count = (this.#alarms.get(kind)?.count ?? 0) + 1;
    this.#alarms.set(kind, { kind, count, last: { source, reason, at: this.#clock() } });
  }

  /** One per kind. */
  status(): readonly SourceAlarm[] {
    return [...this.#alarms.values()];
  }
}

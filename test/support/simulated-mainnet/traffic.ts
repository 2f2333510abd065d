/** What one method, or one kind of notification, has cost. */
export type MethodTraffic = {
  readonly calls: number;
  /** Of requests and responses, without HTTP headers, and without compression. */
  readonly bytes: number;
  /** Generated accounts in its responses. */
  readonly accounts: number;
};

export type TrafficFigures = Readonly<Record<string, MethodTraffic>>;

const NOTHING: MethodTraffic = { calls: 0, bytes: 0, accounts: 0 };

/** Counts what a node receives and sends, by method. Each call of a batch counts. */
export class Traffic {
  readonly #byMethod = new Map<string, MethodTraffic>();

  add(method: string, { calls = 0, bytes = 0, accounts = 0 }: Partial<MethodTraffic>): void {
    const before = this.#byMethod.get(method) ?? NOTHING;
    this.#byMethod.set(method, {
      calls: before.calls + calls,
      bytes: before.bytes + bytes,
      accounts: before.accounts + accounts,
    });
  }

  figures(): TrafficFigures {
    return Object.fromEntries(this.#byMethod);
  }
}

/** Methods with traffic between two points in time. */
export function trafficBetween(before: TrafficFigures, after: TrafficFigures): TrafficFigures {
  const changes = Object.entries(after).map(([method, total]) => {
    const { calls, bytes, accounts } = before[method] ?? NOTHING;
    const difference = {
      calls: total.calls - calls,
      bytes: total.bytes - bytes,
      accounts: total.accounts - accounts,
    };
    return [method, difference] as const;
  });
  return Object.fromEntries(changes.filter(([, { calls, bytes }]) => calls > 0 || bytes > 0));
}

const isNotification = (method: string): boolean => method.endsWith('Notification');

/** The sum over all methods, or over all notifications. */
export function sumTraffic(
  figures: TrafficFigures,
  kind: 'calls' | 'notifications',
): MethodTraffic {
  return Object.entries(figures)
    .filter(([method]) => isNotification(method) === (kind === 'notifications'))
    .reduce(
      (sum, [, { calls, bytes, accounts }]) => ({
        calls: sum.calls + calls,
        bytes: sum.bytes + bytes,
        accounts: sum.accounts + accounts,
      }),
      NOTHING,
    );
}

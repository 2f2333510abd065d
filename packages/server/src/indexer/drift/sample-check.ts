import type { Address } from '@tidegate/core/base';
import { AccountSample } from './account-sample.ts';
import type { DriftContext } from './drift-context.ts';

type SampleCheckOptions = Pick<DriftContext, 'state' | 'followed'> & {
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Receives accounts of which the endpoints say something else than state. */
  readonly onSuspects: (addresses: readonly Address[]) => Promise<void>;
};

/** The first comparisons follow each other quickly, because an endpoint may have spoiled the first load. */
const FIRST_MS = 2_000;

/** Accounts of one request. */
const MOST = 100;

/** Compares accounts of the endpoints with each other: some of them each time, over time all of programs. */
export class SampleCheck {
  readonly #options: SampleCheckOptions;
  readonly #sample: AccountSample;

  constructor(options: SampleCheckOptions) {
    this.#options = options;
    this.#sample = new AccountSample(options.state, options.random);
  }

  /** Milliseconds until the next comparison. */
  pauseMs(everyMs: number): number {
    const { agreement } = this.#options.followed;
    return agreement.hasSecond && !this.#sample.isThrough ? Math.min(FIRST_MS, everyMs) : everyMs;
  }

  /** A single endpoint is compared with the stream by the passes over all accounts, so only what is in doubt is read. */
  async run(): Promise<void> {
    const { followed, onSuspects, state } = this.#options;
    const { agreement, queue } = followed;
    if (followed.isResyncing()) return;
    const sampled = agreement.hasSecond ? this.#sample.next() : [];
    const addresses = [...new Set([...agreement.open(), ...sampled])].slice(0, MOST);
    if (addresses.length === 0) return;
    const judged = await agreement.compare(addresses, queue.completeSlot, { withSetAside: true });
    const differing = judged.filter(
      ({ address, account, verdict }) =>
        verdict === 'confirmed' && account !== undefined && !state.holds(address, account),
    );
    await onSuspects(differing.map(({ address }) => address));
  }
}

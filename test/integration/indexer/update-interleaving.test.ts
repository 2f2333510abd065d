import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { AccountUpdate } from '#server/chain/source/chain-source.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  type GoldenIndexer,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';

const { tag } = obligation.offsets;
const { borrowedAmountOutsideElevationGroup: outside } = reserve.offsets;

/** What can happen to one of the accounts. */
const act = fc.record({
  what: fc.constantFrom('change', 'close', 'open', 'unheard', 'again', 'gap'),
  which: fc.nat(),
  value: fc.bigInt(1n, 2n ** 64n - 1n),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

class Play {
  readonly #indexing: GoldenIndexer;
  readonly #accounts: readonly (readonly [Address, ClusterAccount])[];
  readonly #told: AccountUpdate[] = [];

  constructor(indexing: GoldenIndexer) {
    this.#indexing = indexing;
    this.#accounts = [...indexing.source.accountsNow].filter(
      ([, raw]) => obligation.matches(raw) || reserve.matches(raw),
    );
  }

  act({ what, which, value }: Act): void {
    const { source } = this.#indexing;
    const [address, account] = this.#accounts[which % this.#accounts.length] ?? [];
    if (address === undefined || account === undefined) return;
    const next = withValueAt(account, obligation.matches(account) ? tag : outside, value);
    const old = this.#told[which % (this.#told.length || 1)];
    if (what === 'change' || what === 'open') {
      source.step([[address, next]]);
      this.#told.push({ address, account: next, slot: source.at.slot });
    } else if (what === 'again' && old !== undefined) {
      source.announce(old);
    } else if (what === 'gap') {
      source.gap();
    } else {
      // Nobody is told of a closing, nor of what happens while the connection is away.
      if (what === 'close') source.accountsNow.delete(address);
      else source.accountsNow.set(address, next);
      source.step();
      source.gap();
    }
  }

  expectSame(): void {
    const { source, state } = this.#indexing;
    for (const [address, original] of this.#accounts) {
      const now = source.accountsNow.get(address);
      const isLoan = obligation.matches(original);
      const held = isLoan
        ? state.obligation(address)?.fields.tag
        : state.reserve(address)?.fields.borrowedAmountOutsideElevationGroup;
      const field = isLoan ? tag : outside;
      expect(held).toBe(
        now === undefined ? undefined : new DataView(now.data.buffer).getBigUint64(field, true),
      );
    }
  }
}

test('property: whatever is told late, twice, or not at all, state ends as the cluster is', async () => {
  const acts = fc.array(act, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(acts, acts, acts, async (whileLoading, whileReading, later) => {
      const indexing = createGoldenIndexer();
      const { source, state, indexer } = indexing;
      const play = new Play(indexing);
      const loading = whileLoading.values();
      source.duringScan = () => {
        const next = loading.next();
        if (next.done !== true) play.act(next.value);
      };
      await advanceSlotsWhile(source, indexer.start());
      const reading = whileReading.values();
      source.duringScan = () => {
        const next = reading.next();
        if (next.done !== true) play.act(next.value);
      };
      for (const next of later) {
        play.act(next);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await advanceSlotsUntil(
        source,
        () => !indexer.status().resyncing && state.at().slot === source.at.slot,
      );
      play.expectSame();
      indexer.stop();
    }),
    { numRuns: 25 },
  );
}, 30_000);

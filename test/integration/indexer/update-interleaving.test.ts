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
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const { tag } = obligation.offsets;
const { borrowedAmountOutsideElevationGroup: outside } = reserve.offsets;

/** A change of one of the accounts, or of the connection. */
const operation = fc.record({
  kind: fc.constantFrom('change', 'close', 'open', 'unannounced', 'again', 'gap'),
  which: fc.nat(),
  value: fc.bigInt(1n, 2n ** 64n - 1n),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

class Interleaving {
  readonly #indexing: GoldenIndexer;
  readonly #accounts: readonly (readonly [Address, ClusterAccount])[];
  readonly #announced: AccountUpdate[] = [];

  constructor(indexing: GoldenIndexer) {
    this.#indexing = indexing;
    this.#accounts = [...indexing.source.accounts].filter(
      ([, raw]) => obligation.matches(raw) || reserve.matches(raw),
    );
  }

  run({ kind, which, value }: Operation): void {
    const { source } = this.#indexing;
    const [address, account] = this.#accounts[which % this.#accounts.length] ?? [];
    if (address === undefined || account === undefined) return;
    const next = withValueAt(account, obligation.matches(account) ? tag : outside, value);
    const old = this.#announced[which % (this.#announced.length || 1)];
    if (kind === 'change' || kind === 'open') {
      source.advanceSlot([[address, next]]);
      this.#announced.push({ address, account: next, slot: source.at.slot });
    } else if (kind === 'again' && old !== undefined) {
      source.announce(old);
    } else if (kind === 'gap') {
      source.reportGap();
    } else {
      // neither a closed account nor a change during a gap is announced
      if (kind === 'close') source.accounts.delete(address);
      else source.accounts.set(address, next);
      source.advanceSlot();
      source.reportGap();
    }
  }

  expectSameState(): void {
    const { source, state } = this.#indexing;
    for (const [address, original] of this.#accounts) {
      const now = source.accounts.get(address);
      const isLoan = obligation.matches(original);
      const value = isLoan
        ? state.obligation(address)?.fields.tag
        : state.reserve(address)?.fields.borrowedAmountOutsideElevationGroup;
      const field = isLoan ? tag : outside;
      expect(value).toBe(
        now === undefined ? undefined : new DataView(now.data.buffer).getBigUint64(field, true),
      );
    }
  }
}

test('property: state equals the cluster even if updates are late, repeated or missing', async () => {
  const operations = fc.array(operation, { maxLength: 12 });
  await assertAsyncProperty(
    fc.asyncProperty(
      operations,
      operations,
      operations,
      async (whileLoading, whileReading, later) => {
        const indexing = createGoldenIndexer();
        const { source, state, indexer } = indexing;
        const interleaving = new Interleaving(indexing);
        const loading = whileLoading.values();
        source.duringScan = () => {
          const next = loading.next();
          if (next.done !== true) interleaving.run(next.value);
        };
        await advanceSlotsWhile(source, indexer.start());
        const reading = whileReading.values();
        source.duringScan = () => {
          const next = reading.next();
          if (next.done !== true) interleaving.run(next.value);
        };
        for (const next of later) {
          interleaving.run(next);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await advanceSlotsUntil(
          source,
          () => !indexer.status().resyncing && state.at().slot === source.at.slot,
        );
        interleaving.expectSameState();
        indexer.stop();
      },
    ),
    25,
  );
});

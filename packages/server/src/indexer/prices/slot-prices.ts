import type { Address, ChainTime, Sf, Slot } from '@tidegate/core/base';
import { sfFromBits } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { ClusterReader } from '@tidegate/core/state';
import { selectListedReserves } from '@tidegate/core/views/lending';
import { createVaultViewContext } from '@tidegate/core/views/vaults';
import { AwaitedSlot } from '../../chain/awaited-slot.ts';
import { toScaledFraction } from '../../history/rows/ratio-to-scaled-fraction.ts';
import type { Registry } from '../../registry/registry.ts';
import type { HistoricalPrices } from './historical-prices.ts';

/** Changes per token: ten minutes of a price that changes in every slot. */
const MAX_CHANGES = 1_500;
const MAX_SKIPPED = 20;

type PriceChange = { readonly slot: Slot; readonly price: Sf | undefined };

/** Token prices slot by slot, for events that are recorded shortly after they happen. */
export class SlotPrices {
  readonly #changes = new Map<Address, PriceChange[]>();
  #first: Slot | undefined;
  #newest: Slot | undefined;
  /** Ranges of slots of which state was not complete on the current fork. */
  readonly #skipped: { from: Slot; until: Slot | undefined }[] = [];
  readonly #awaited = new AwaitedSlot();

  /** Call it when state is complete for a slot. */
  record(reader: ClusterReader, registry: Registry, { slot }: ChainTime): void {
    const { tokens } = createVaultViewContext(reader, () =>
      selectListedReserves({ reader, registry }),
    );
    for (const mint of listMints(reader)) {
      const price = tokens(mint)?.price;
      this.#add(mint, slot, price && sfFromBits(toScaledFraction(price)));
    }
    for (const skipped of this.#skipped) skipped.until ??= slot;
    this.#first ??= slot;
    this.#newest = slot;
    this.#awaited.update(slot);
  }

  /** Call it after a rollback. State skips these slots on the new fork, so that their prices are not known. */
  rollBack(oldest: Slot): void {
    const current = this.#skipped.find(({ until }) => until === undefined);
    if (current === undefined) this.#skipped.push({ from: oldest, until: undefined });
    else if (oldest < current.from) current.from = oldest;
    if (this.#skipped.length > MAX_SKIPPED) this.#skipped.shift();
  }

  /** Whether the prices of the slot are in memory within `timeoutMs`. */
  waitFor(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#awaited.waitFor(slot, timeoutMs);
  }

  /** Prices of a slot; those of samples for a slot that is not in memory. */
  at(slot: Slot, samples: HistoricalPrices): HistoricalPrices {
    const isRecorded = slot >= (this.#first ?? slot + 1n) && slot <= (this.#newest ?? -1n);
    if (!isRecorded || this.#isSkipped(slot)) return samples;
    const priceAt: HistoricalPrices['priceAt'] = (mint, at) =>
      this.#find(mint, slot) ?? samples.priceAt(mint, at);
    return {
      priceAt,
      solPriceAt: (at) => priceAt(WRAPPED_SOL_MINT, at),
      stakeRateAt: (mint, at) => samples.stakeRateAt(mint, at),
      tokensPerShareAt: (vault, at) => samples.tokensPerShareAt(vault, at),
    };
  }

  #isSkipped(slot: Slot): boolean {
    return this.#skipped.some(({ from, until }) => slot >= from && slot < (until ?? slot + 1n));
  }

  #find(mint: Address, slot: Slot): Sf | undefined {
    return this.#changes.get(mint)?.findLast((change) => change.slot <= slot)?.price;
  }

  #add(mint: Address, slot: Slot, price: Sf | undefined): void {
    const changes = this.#changes.get(mint) ?? [];
    this.#changes.set(mint, changes);
    // a rolled-back slot comes again
    while ((changes.at(-1)?.slot ?? -1n) >= slot) changes.pop();
    if (changes.length > 0 && changes.at(-1)?.price === price) return;
    changes.push({ slot, price });
    if (changes.length > MAX_CHANGES) changes.shift();
  }
}

function listMints(reader: ClusterReader): ReadonlySet<Address> {
  const mints = new Set<Address>();
  for (const { address } of reader.markets()) {
    for (const { fields } of reader.reservesOf(address)) mints.add(fields.liquidity.mintPubkey);
  }
  return mints;
}

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

type PriceChange = { readonly slot: Slot; readonly price: Sf | undefined };

/** Token prices slot by slot, for events that are recorded shortly after they happen. */
export class SlotPrices {
  readonly #changes = new Map<Address, PriceChange[]>();
  #first: Slot | undefined;
  #newest: Slot | undefined;
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
    this.#first ??= slot;
    this.#newest = slot;
    this.#awaited.update(slot);
  }

  /** Whether the prices of the slot are in memory within `timeoutMs`. */
  waitFor(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#awaited.waitFor(slot, timeoutMs);
  }

  /** Prices of a slot; those of samples for a slot that is not in memory. */
  at(slot: Slot, samples: HistoricalPrices): HistoricalPrices {
    const isKnown = slot >= (this.#first ?? slot + 1n) && slot <= (this.#newest ?? -1n);
    if (!isKnown) return samples;
    const priceAt: HistoricalPrices['priceAt'] = (mint, at) =>
      this.#find(mint, slot) ?? samples.priceAt(mint, at);
    return {
      priceAt,
      solPriceAt: (at) => priceAt(WRAPPED_SOL_MINT, at),
      stakeRateAt: (mint, at) => samples.stakeRateAt(mint, at),
      tokensPerShareAt: (vault, at) => samples.tokensPerShareAt(vault, at),
    };
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

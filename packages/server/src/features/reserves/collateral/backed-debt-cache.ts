import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type BackedDebts,
  type MarketSnapshot,
  sumBackedDebts,
} from '@tidegate/core/views/lending';
import { oncePerApp } from '../../feature-context.ts';

/** The debts that the collaterals of a market back. */
type BackedDebtCache = (reader: ClusterReader, market: MarketSnapshot) => BackedDebts;

type CachedDebts = BackedDebts & {
  readonly version: number;
  /** Epoch ms before which the sums are not recomputed. */
  readonly freshUntil: number;
};

/** Summing up the loans of a large market blocks the event loop, so sums are reused for this many times that duration. */
const REUSE_FACTOR = 50;

export const backedDebtCache = oncePerApp(({ clock }): BackedDebtCache => {
  const cached = new WeakMap<ClusterReader, Map<Address, CachedDebts>>();
  return (reader, market) => {
    const debts = cached.get(reader) ?? new Map<Address, CachedDebts>();
    cached.set(reader, debts);
    const startedAt = clock();
    const known = debts.get(market.address);
    if (known?.version === reader.version() || (known && startedAt < known.freshUntil)) {
      return known;
    }
    const sums = sumBackedDebts(reader.obligationsIn(market.address), market);
    const endedAt = clock();
    const freshUntil = endedAt + (endedAt - startedAt) * REUSE_FACTOR;
    debts.set(market.address, { ...sums, version: reader.version(), freshUntil });
    return sums;
  };
});

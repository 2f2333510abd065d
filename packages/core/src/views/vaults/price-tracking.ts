import type { Address } from '../../base/encoding/address.ts';
import type { PriceAge } from '../lending/reserve-price.ts';
import type { VaultViewContext } from './vault-snapshot.ts';

/** A context that remembers which prices views read from it. */
export type TrackedContext = VaultViewContext & {
  /** The ages of all prices that were read. */
  priceAges(): readonly PriceAge[];
  /** Tokens whose price was read, but which have none. */
  missingPrices(): readonly Address[];
};

/** Use one per response, so that the response can name the old prices behind its figures. */
export function trackPrices(context: VaultViewContext): TrackedContext {
  const mints = new Map<Address, PriceAge | undefined>();
  const ofRewards = new Map<Address, readonly PriceAge[]>();
  const requireReserve: VaultViewContext['requireReserve'] = (address) => {
    const reserve = context.requireReserve(address);
    ofRewards.set(address, reserve.rewardPriceAges);
    return reserve;
  };
  return {
    ...context,
    tokens: (mint) => {
      const token = context.tokens(mint);
      mints.set(mint, token?.quote);
      return token;
    },
    requireReserve,
    reserves: (address) => {
      const reserve = context.reserves(address);
      if (reserve !== undefined) ofRewards.set(address, reserve.rewardPriceAges);
      return reserve;
    },
    priceAges: () => [
      ...[...mints.values()].filter((price) => price !== undefined),
      ...[...ofRewards.values()].flat(),
    ],
    missingPrices: () =>
      [...mints].filter(([, price]) => price === undefined).map(([mint]) => mint),
  };
}

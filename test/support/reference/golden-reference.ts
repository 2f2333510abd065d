import type { Address } from '#core/base/encoding/address.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { goldenCluster } from '../golden/golden.ts';
import { goldenMarket } from '../golden/golden-addresses.ts';
import { type ReferenceLoan, referenceLoan, referenceReserve } from './reference-lending.ts';

export const MAIN_MARKET = goldenMarket('Main Market').address;

/** Reference values of the golden cluster's lending markets, for slots of 400 ms. */
export function goldenReference() {
  const { at, accounts } = goldenCluster();
  const entries = [...accounts].map(([address, account]) => ({ address, account }));
  const decoded = entries.filter(({ account }) => reserve.matches(account));
  const stored = new Map(decoded.map(({ address, account }) => [address, reserve.decode(account)]));
  const reserves = new Map(
    [...stored].map(([address, fields]) => {
      const feed = accounts.get(fields.config.tokenInfo.scopeConfiguration.priceFeed);
      if (feed === undefined) throw new Error('no feed');
      const { prices } = oraclePrices.decode(feed);
      return [address, referenceReserve(fields, { ...at, slotMs: 400n, prices })];
    }),
  );
  const obligations = new Map(
    entries
      .filter(({ account }) => obligation.matches(account))
      .map(({ address, account }) => [address, obligation.decode(account)]),
  );
  const obligationOf = (address: Address): Obligation => {
    const found = obligations.get(address);
    if (found === undefined) throw new Error(`no obligation ${address}`);
    return found;
  };
  /** The market of an obligation. */
  const marketOf = (address: Address): LendingMarket => {
    const market = accounts.get(obligationOf(address).lendingMarket);
    if (market === undefined) throw new Error(`no market of ${address}`);
    return lendingMarket.decode(market);
  };
  const loanOf = (address: Address): ReferenceLoan =>
    referenceLoan(obligationOf(address), { market: marketOf(address), reserves });
  return { at, accounts, stored, reserves, obligations, marketOf, loanOf };
}

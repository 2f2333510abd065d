import type { Address } from '#core/base/encoding/address.ts';
import { formatSf, type Sf } from '#core/base/numbers/scaled-fraction.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type ReserveView, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { accrualTerms } from '#core/protocol/klend/math/accrual/accrual.ts';
import {
  type ObligationStats,
  type ObligationStatsInput,
  obligationStats,
} from '#core/protocol/klend/math/obligation-stats.ts';
import { reserveAtSlot } from '#core/protocol/klend/math/reserve-at-slot.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { chainPrice } from '#core/protocol/scope/math/price-chain.ts';
import type { Task } from '../compare/task-worker.ts';
import { generateObligations } from '../generated/generated-obligations.ts';
import type { NamedAccount, TidegateMathInput } from '../math.ts';

/** Reserves are brought to the slot once, as on the other side. */
export function statsTasks(input: TidegateMathInput): Record<string, Task> {
  const accounts = generateObligations(input.obligations, input.count);
  const termsByMarket = new Map(
    input.markets.map((market) => [market.address, toTerms(market, input)]),
  );
  const run = (index: number): ObligationStats => {
    const account = accounts[index];
    if (account === undefined) throw new Error(`no obligation ${index}`);
    const view = obligation.view(account);
    const terms = termsByMarket.get(view.lendingMarket);
    if (terms === undefined) throw new Error(`no market ${view.lendingMarket}`);
    return obligationStats(view, terms);
  };
  const sample = () =>
    Array.from({ length: input.sampled }, (_, index) => {
      const { borrowLimit, userTotalDeposit, userTotalBorrow } = run(index);
      return {
        borrowLimit: formatSf(borrowLimit),
        userTotalDeposit: formatSf(userTotalDeposit),
        userTotalBorrow: formatSf(userTotalBorrow),
      };
    });
  return { stats: { inputs: accounts.length, run, sample } };
}

function toTerms(
  account: NamedAccount,
  { at, reserves, oracles }: TidegateMathInput,
): ObligationStatsInput {
  const market = lendingMarket.decode(account);
  const feeds = new Map(
    oracles.map((oracle) => [oracle.address, oraclePrices.view(oracle).prices]),
  );
  const priceOf = ({ config }: ReserveView): Sf => {
    const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
    const prices = feeds.get(priceFeed);
    const found = prices === undefined ? undefined : chainPrice(prices, priceChain);
    if (found === undefined) throw new Error('a reserve has no price');
    return found.price;
  };
  const own = reserves
    .map((named) => ({ address: named.address, view: reserve.view(named) }))
    .filter(({ view }) => view.lendingMarket === account.address)
    .map(({ address, view }): [Address, ReturnType<typeof reserveAtSlot>] => {
      const terms = accrualTerms(market);
      return [
        address,
        reserveAtSlot(view, {
          time: at,
          rules: NEWEST_LENDING_RULES,
          ...terms,
          price: priceOf(view),
        }),
      ];
    });
  return { market, reserves: new Map(own) };
}

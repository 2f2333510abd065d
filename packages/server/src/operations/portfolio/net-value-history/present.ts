import { type Address, mulRatio, type Ratio, sumRatios } from '@tidegate/core/base';
import { trackPrices } from '@tidegate/core/views/vaults';
import type { FastifyReply } from 'fastify';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import {
  setOmittedHeader,
  setStalePricesHeader,
  unreadableAccounts,
} from '../../../support/pricing/data-notes.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import type { OperationContext } from '../../operation-context.ts';
import {
  omittedLoansAndShares,
  readWalletPositions,
  type WalletPositions,
  walletLoanPriceAges,
  walletLoans,
} from '../wallet-positions.ts';
import type { NetValue } from './json.ts';

type PresentNetValue = NetValue & { readonly hasPositions: boolean };

/**
 * The value of a wallet now; undefined if a loan or shares cannot be valued. Sets `x-stale-prices` and `x-omitted`.
 */
export function presentNetValue(context: OperationContext) {
  const marketOf = marketCache(context);
  const pricingOf = vaultPricingCache(context);
  return (cluster: Cluster, owner: Address, reply: FastifyReply): PresentNetValue | undefined => {
    const { reader } = cluster;
    const pricing = trackPrices(pricingOf(cluster));
    const query = { cluster, programId: undefined, pricing, marketOf };
    const positions = readWalletPositions(owner, query);
    const staking = stakingValue(positions, (mint) => pricing.tokens(mint)?.price);
    const unvalued = [
      ...omittedLoansAndShares(positions),
      ...unpricedShares(positions),
      ...unreadableAccounts(reader, 'obligation', owner),
    ];
    setStalePricesHeader(reply, [...pricing.priceAges(), ...walletLoanPriceAges(positions)]);
    setOmittedHeader(reply, [
      ...unvalued,
      ...positions.staking.omitted,
      ...unreadableAccounts(reader, 'farmUser', owner),
      ...unreadableAccounts(reader, 'vault'),
    ]);
    if (unvalued.length > 0) return undefined;
    const loans = walletLoans(positions);
    const shares = sharesOf(positions);
    return {
      loans: sumRatios(loans.map(({ stats }) => stats.netAccountValue)),
      shares: sumRatios(shares.flatMap(({ value }) => value ?? [])),
      staking,
      hasPositions: loans.length + shares.length + positions.staking.items.length > 0,
    };
  };
}

const sharesOf = ({ earn, privateCredit }: WalletPositions) => [
  ...earn.items,
  ...privateCredit.items,
];

const unpricedShares = (positions: WalletPositions) =>
  sharesOf(positions)
    .filter(({ value }) => value === undefined)
    .map(({ vault: { address } }) => ({
      address,
      reason: 'No listed market has a valid price of its token.',
    }));

/** Null if a stake or a price is unknown. */
function stakingValue(
  { staking }: WalletPositions,
  priceOf: (mint: Address) => Ratio | undefined,
): Ratio | null {
  if (staking.omitted.length > 0) return null;
  const values = staking.items.map(({ farm, total }) => {
    const price = priceOf(farm.fields.token.mint);
    return price && mulRatio(total, price);
  });
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : sumRatios(known);
}

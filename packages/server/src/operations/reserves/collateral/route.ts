import { type Address, type Sf, toAddress, ZERO_SF } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type BackedDebts,
  type CollateralReserve,
  type MarketSnapshot,
  marketName,
  selectListedMarkets,
  sumBackedDebts,
  viewCollateralReserves,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { rarePerVersion } from '../../../caching/per-version.ts';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
} from '../../../http/schemas/primitives.ts';
import { formatLiveRatio, formatLiveSf } from '../../../support/decimals/live-decimals.ts';
import {
  marketPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unavailableReserves,
} from '../../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import { MarketParameter } from '../../../support/schemas/address-parameters.ts';
import { type OperationPlugin, oncePerApp } from '../../operation-context.ts';

const BorrowReserveTerm = Type.Object(
  {
    reserve: describe(AddressString, 'Reserve of the debt'),
    elevationGroup: Type.Number({
      description: 'Number of the elevation group; 0 outside of groups',
    }),
    maxLtv: describe(DecimalString, 'Maximum loan-to-value, as a fraction'),
    liquidationLtv: describe(
      DecimalString,
      'Loan-to-value at which a loan can be liquidated, as a fraction',
    ),
    borrowFactor: describe(DecimalString, 'Weight of the debt against the limit'),
  },
  { title: 'BorrowReserveTerm' },
);

const LOANS_NEEDED = 'null if not all loans are followed';

const CollateralReserveRow = Type.Object(
  {
    name: Type.String({ description: 'Symbol of the collateral' }),
    slugs: Type.Null({ description: 'Always null: the registry has none' }),
    lendingMarket: describe(AddressString, 'Address of the lending market'),
    lendingMarketName: Type.String({ description: 'Name of the lending market' }),
    collateralMint: describe(AddressString, 'Mint of the collateral'),
    collateralReserve: describe(AddressString, 'Reserve of the collateral'),
    debtCategory: Type.Null({
      description: 'Always null: the registry has no categories, so a collateral has one row',
    }),
    sizeUsd: describe(DecimalString, 'Deposits in the reserve, in USD'),
    collateralBackingDebtUsd: describe(
      Type.Union([DecimalString, Type.Null()]),
      `Deposits of loans with debts, in USD; ${LOANS_NEEDED}`,
    ),
    debtAgainstCollateralUsd: describe(
      Type.Union([DecimalString, Type.Null()]),
      `Debts of these loans, divided among the deposits of each loan by value, in USD; ${LOANS_NEEDED}`,
    ),
    borrowReserves: describe(Type.Array(AddressString), 'Reserves that can be borrowed against it'),
    borrowReserveTerms: describe(
      Type.Array(BorrowReserveTerm),
      'Terms per debt, outside of elevation groups and in each group',
    ),
  },
  { title: 'CollateralReserve' },
);

export const listCollateralReserves: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);
  const debtsOf = backedDebtCache(context);

  app.get(
    '/markets/collateral-reserves',
    defineOperation(
      {
        operationId: 'listCollateralReserves',
        tag: 'lending',
        summary: 'Collaterals and what can be borrowed against them',
        description:
          'Each reserve of the listed markets, or of one market, whose deposits can back new debts. A term is a debt that new loans can have: outside of elevation groups by the loan-to-value of the collateral, in a group by that of the group. Largest deposits in USD first, by market.',
        weight: 5,
        statuses: [400, 500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        querystring: Type.Object({
          env: Type.Optional(ClusterNameString),
          market: Type.Optional(MarketParameter),
        }),
        response: Type.Object(
          {
            collateralReserves: describe(
              Type.Array(CollateralReserveRow),
              'One row for each collateral of a market',
            ),
          },
          { title: 'CollateralReserves' },
        ),
      },
    ),
    async ({ query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const { reader } = cluster;
      const markets = marketAddresses(cluster, query.market).flatMap(
        (address) => marketOf(reader, address) ?? [],
      );
      setStalePricesHeader(
        reply,
        markets.flatMap((market) => marketPriceAges(market)),
      );
      setOmittedHeader(reply, markets.flatMap(unavailableReserves));
      return {
        collateralReserves: markets.flatMap((market) => {
          const debts = hasAllLoans(cluster) ? debtsOf(reader, market) : undefined;
          const reserves = reader.reservesOf(market.address);
          return viewCollateralReserves(market, reserves).map((collateral) =>
            collateralJson(collateral, { cluster, market, debts }),
          );
        }),
      };
    },
  );
};

/** The requested market, or all listed ones. */
function marketAddresses(cluster: Cluster, requested: string | undefined): readonly Address[] {
  if (requested === undefined) return selectListedMarkets(cluster).map(({ address }) => address);
  const address = toAddress(requested);
  requireReadable(cluster.reader, address);
  return [address];
}

const hasAllLoans = ({ hasAllPositions }: Cluster): boolean => hasAllPositions?.() ?? true;

type CollateralSource = {
  readonly cluster: Cluster;
  readonly market: MarketSnapshot;
  /** Undefined if not all loans are followed. */
  readonly debts: BackedDebts | undefined;
};

function collateralJson(
  { reserve, sizeUsd, terms }: CollateralReserve,
  { cluster, market, debts }: CollateralSource,
): Static<typeof CollateralReserveRow> {
  const backed = debts?.byCollateral.get(reserve.address);
  const usd = (value: Sf | undefined): string | null =>
    debts === undefined ? null : formatLiveSf(value ?? ZERO_SF);
  return {
    name: reserve.symbol,
    slugs: null,
    lendingMarket: market.address,
    lendingMarketName: cluster.registry.market(market.address)?.name ?? marketName(market.fields),
    collateralMint: reserve.mint,
    collateralReserve: reserve.address,
    debtCategory: null,
    sizeUsd: formatLiveRatio(sizeUsd),
    collateralBackingDebtUsd: usd(backed?.collateral),
    debtAgainstCollateralUsd: usd(backed?.debt),
    borrowReserves: [...new Set(terms.map((term) => term.reserve))],
    borrowReserveTerms: terms.map((term) => ({
      reserve: term.reserve,
      elevationGroup: term.elevationGroup,
      maxLtv: formatLiveRatio(term.maxLtv),
      liquidationLtv: formatLiveRatio(term.liquidationLtv),
      borrowFactor: formatLiveRatio(term.borrowFactor),
    })),
  };
}

/** The debts that the collaterals of a market back. */
type BackedDebtCache = (reader: ClusterReader, market: MarketSnapshot) => BackedDebts;

const backedDebtCache = oncePerApp(({ clock }): BackedDebtCache => {
  const debtsOf = rarePerVersion<BackedDebts>(clock);
  return (reader, market) =>
    debtsOf({
      of: [market.address, reader],
      version: reader.version(),
      compute: () => sumBackedDebts(reader.obligationsIn(market.address), market),
    });
});

import { toAddress, toUnixSeconds } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import { vaultSeasonApr } from '@tidegate/core/views/rewards';
import { addEarningsSinceSample } from '@tidegate/core/views/series';
import {
  accrueVault,
  computePricedVault,
  countHolders,
  createStakerLister,
  sortByCreation,
  trackPrices,
  trailingRates,
  type VaultSnapshot,
  type VaultViewContext,
  viewVaultMetrics,
} from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { setDataHeader } from '../../../http/data-headers.ts';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { setPriceHeaders, unreadableAccounts } from '../../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import {
  requireVaultSnapshot,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import { VaultParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { vaultMetricsJson } from './json.ts';
import { VaultMetrics, VaultMetricsPage } from './schema.ts';

const MAX_PAGE = 100;

const PageQuery = Type.Object({
  limit: describe(
    Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
    'Vaults per page',
  ),
  paginationToken: Type.Optional(
    Type.String({ description: 'Token of the previous page; omit for the first page' }),
  ),
});

const METRICS_DESCRIPTION =
  'Values are as of the slot of the response. Rates are yearly fractions. Reward rates are only in their own fields; apyIncentives is the rate of all seasons. apy24h to apy365d are the annualised growth of a share in tokens over that window, or since creation for a younger vault; the header x-estimated names those that could not be counted over their own window. Cumulative tokens are the counters of the account, which the program updates when the vault is used. Cumulative USD and SOL values include what has accrued since and use the prices of each interval; without history they are the tokens at current prices. A vault whose token has no price is unavailable; without a price of SOL, values in SOL are 0 and x-omitted names it.';

export const getVaultMetrics: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/vaults/:pubkey/metrics',
    defineOperation(
      {
        operationId: 'getVaultMetrics',
        tag: 'earn',
        summary: 'Metrics of a vault',
        description: `Prices, holdings and yields. ${METRICS_DESCRIPTION}`,
        weight: 2,
        statuses: [400, 500],
        answersNotFound: true,
        dependsOn: [...VAULT_DEPENDENCIES, 'farmUser', 'shares', 'vaultHistory'],
      },
      { params: Type.Object({ pubkey: VaultParameter }), response: VaultMetrics },
    ),
    async ({ params }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const pricing = trackPrices(pricingOf(cluster));
      const vault = requireVaultSnapshot(cluster, pricing, toAddress(params.pubkey));
      const { json, estimated } = metricsOf(vault, cluster, pricing);
      setDataHeader(reply, 'x-estimated', estimated);
      setPriceHeaders(reply, pricing);
      return json;
    },
  );
};

export const listVaultMetrics: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/vaults/metrics',
    defineOperation(
      {
        operationId: 'listVaultMetrics',
        tag: 'earn',
        summary: 'Metrics of all vaults',
        description: `Paginated, oldest vault first. ${METRICS_DESCRIPTION}`,
        weight: 10,
        statuses: [400, 500],
        dependsOn: [...VAULT_DEPENDENCIES, 'farmUser', 'shares', 'vaultHistory'],
      },
      { querystring: PageQuery, response: VaultMetricsPage },
    ),
    async ({ query: { limit = MAX_PAGE, paginationToken } }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const pricing = trackPrices(pricingOf(cluster));
      const vaults = sortByCreation(cluster.reader.vaults());
      const start = paginationToken === undefined ? 0 : findPageStart(paginationToken, vaults);
      const page = vaults.slice(start, start + limit);
      const last = page.at(-1);
      const { items: rows, omitted } = collectAvailable(page, (vault) => {
        const snapshot = computePricedVault(vault, pricing);
        return { kvault: vault.address, ...metricsOf(snapshot, cluster, pricing) };
      });
      const unreadable = start === 0 ? unreadableAccounts(cluster.reader, 'vault') : [];
      setPriceHeaders(reply, pricing, [...omitted, ...unreadable]);
      const estimated = new Set(rows.flatMap((row) => row.estimated));
      setDataHeader(reply, 'x-estimated', [...estimated]);
      return {
        result: rows.map(({ kvault, json }) => ({ kvault, ...json })),
        paginationToken:
          last === undefined || start + limit >= vaults.length ? null : formatPageToken(last),
      };
    },
  );
};

/** What was earned before the first sample is valued at the prices of that sample. */
const VALUED_FIELDS = [
  'cumulativeInterestEarnedUsd',
  'cumulativeInterestEarnedSol',
  'cumulativePerformanceFeesUsd',
  'cumulativePerformanceFeesSol',
  'cumulativeManagementFeesUsd',
  'cumulativeManagementFeesSol',
];

type MetricsRow = {
  readonly json: Static<typeof VaultMetrics>;
  /** Fields that were not counted over their own period. */
  readonly estimated: readonly string[];
};

function metricsOf(vault: VaultSnapshot, cluster: Cluster, pricing: VaultViewContext): MetricsRow {
  const { reader, registry, recording } = cluster;
  const cache = recording?.vaultHistoryCache;
  const holders = countHolders(vault.fields, reader, createStakerLister(reader));
  const seasonApr = vaultSeasonApr(vault, registry.seasons, pricing);
  const metrics = viewVaultMetrics(vault, pricing);
  const { lifetimeApy, apyActual } = metrics;
  const { creationTimestamp } = vault.fields;
  const history = cache?.find(vault.address);
  const current = { at: pricing.at.unix, tokensPerShare: vault.tokensPerShare };
  const { apys: trailing, estimated } = trailingRates(history?.anchors ?? [], current, {
    createdAt: creationTimestamp === 0n ? undefined : toUnixSeconds(creationTimestamp),
    lifetimeApy,
    apyActual,
  });
  const accruedNow = {
    accrued: accrueVault(vault, pricing.at.unix),
    tokenDecimals: vault.fields.tokenMintDecimals,
  };
  const earnings = history && addEarningsSinceSample(history.newest, accruedNow, metrics);
  const extras = { holders, seasonApr, trailing };
  const isOlder = creationTimestamp < (cache?.sampledSince() ?? 0n);
  return {
    json: vaultMetricsJson({ ...metrics, ...earnings }, extras),
    estimated: isOlder ? [...estimated, ...VALUED_FIELDS] : estimated,
  };
}

type VaultAccount = ReturnType<Cluster['reader']['vaults']>[number];

/** Sort key of the last vault of a page, so that new vaults do not shift the next page. */
const formatPageToken = ({ address, fields }: VaultAccount): string =>
  `${fields.creationTimestamp}-${address}`;

const TOKEN = /^(\d{1,20})-([1-9A-HJ-NP-Za-km-z]{32,44})$/;

function findPageStart(token: string, vaults: readonly VaultAccount[]): number {
  const [, createdAt, lastAddress] = TOKEN.exec(token) ?? [];
  if (createdAt === undefined || lastAddress === undefined) {
    const message = 'paginationToken must be the paginationToken of a previous page';
    const issue = { path: ['paginationToken'], code: 'invalid_string', message };
    throw new CodedError('INVALID_QUERY', { issues: [issue] });
  }
  const start = vaults.findIndex(({ fields: { creationTimestamp }, address }) =>
    creationTimestamp === BigInt(createdAt)
      ? address > lastAddress
      : creationTimestamp > BigInt(createdAt),
  );
  return start === -1 ? vaults.length : start;
}

import { CodedError, toAddress } from '@tidegate/core/base';
import { vaultSeasonApr } from '@tidegate/core/views/rewards';
import { addEarningsSinceSample } from '@tidegate/core/views/series';
import {
  countHolders,
  createStakerLister,
  snapshotVault,
  sortByCreation,
  trailingApys,
  type VaultSnapshot,
  type VaultViewContext,
  viewVaultMetrics,
} from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { Feature } from '../../feature-context.ts';
import { requireVaultSnapshot, vaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { vaultMetricsJson } from './json.ts';
import { VaultMetrics, VaultMetricsPage } from './schema.ts';

const MAX_PAGE = 100;

const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
  paginationToken: Type.Optional(
    Type.String({ description: 'Token of the previous page; omit for the first page' }),
  ),
});

const METRICS_DESCRIPTION =
  'Values are as of the slot of the response. Rates are yearly fractions. Reward rates are only in their own fields; apyIncentives is the rate of all seasons. apy24h to apy365d are the annualised growth of a share in tokens over that window, or since creation for a younger vault. Cumulative USD and SOL values use the prices of each interval. Without history, the windows cover the lifetime of the vault and cumulative values use current prices. A missing oracle price is 0.';

export const getVaultMetrics: Feature = (context) => async (app) => {
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
        weight: 1,
        statuses: [400, 500],
        cacheVersion: () => clusters.version(),
      },
      { params: Type.Object({ pubkey: AddressString }), response: VaultMetrics },
    ),
    async ({ params }) => {
      const cluster = clusters.requireLoaded(undefined);
      const pricing = pricingOf(cluster);
      const vault = requireVaultSnapshot(cluster, pricing, toAddress(params.pubkey));
      return metricsJson(vault, cluster, pricing);
    },
  );
};

export const listVaultMetrics: Feature = (context) => async (app) => {
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
        cacheVersion: () => clusters.version(),
      },
      { querystring: PageQuery, response: VaultMetricsPage },
    ),
    async ({ query: { limit = MAX_PAGE, paginationToken } }) => {
      const cluster = clusters.requireLoaded(undefined);
      const pricing = pricingOf(cluster);
      const vaults = sortByCreation(cluster.reader.vaults());
      const start = paginationToken === undefined ? 0 : findPageStart(paginationToken, vaults);
      const page = vaults.slice(start, start + limit);
      const last = page.at(-1);
      return {
        result: page.flatMap((vault) => {
          const snapshot = snapshotVault(vault, pricing);
          return snapshot === undefined ? [] : rowJson(snapshot, cluster, pricing);
        }),
        paginationToken:
          last === undefined || start + limit >= vaults.length ? null : formatPageToken(last),
      };
    },
  );
};

function metricsJson(vault: VaultSnapshot, cluster: Cluster, pricing: VaultViewContext) {
  const { reader, registry, vaultHistoryCache } = cluster;
  const holders = countHolders(vault.fields, reader, createStakerLister(reader));
  const seasonApr = vaultSeasonApr(vault, registry.seasons, pricing);
  const metrics = viewVaultMetrics(vault, pricing);
  const history = vaultHistoryCache?.find(vault.address);
  if (history === undefined) return vaultMetricsJson(metrics, { holders, seasonApr });
  const current = { at: pricing.at.unix, tokensPerShare: vault.tokensPerShare };
  const trailing =
    history.anchors.length === 0 ? undefined : trailingApys(history.anchors, current);
  const earnings = addEarningsSinceSample(history.newest, vault, metrics);
  return vaultMetricsJson({ ...metrics, ...earnings }, { holders, seasonApr, trailing });
}

const rowJson = (vault: VaultSnapshot, cluster: Cluster, pricing: VaultViewContext) => ({
  kvault: vault.address,
  ...metricsJson(vault, cluster, pricing),
});

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

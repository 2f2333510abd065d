import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
import type { FeatureContext } from '../../feature-context.ts';
import { requireVaultSnapshot, type VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { vaultMetricsJson } from './json.ts';
import { VaultMetrics, VaultMetricsPage } from './schema.ts';

const MAX_PAGE = 100;

const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
  paginationToken: Type.Optional(
    Type.String({ description: 'Of the page before; the first page without it' }),
  ),
});

const FIGURES =
  'At the slot of the answer. Rates are yearly fractions; rewards are in none but their own; apyIncentives is what all seasons give. apy24h to apy365d are what a share gained in tokens over that time, annualised; a younger vault is told over its age. Cumulative USD and SOL figures value each interval at its own prices. Where no history is kept, both go by the whole life of the vault and the prices of now. A price that no oracle has is 0.';

export const vaultMetricsRoutes =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    termsOf: VaultPricingCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'earn',
      statuses: [400, 500],
      keptWhile: () => clusters.version(),
    } as const;

    app.get(
      '/kvaults/vaults/:pubkey/metrics',
      defineOperation(
        {
          ...facts,
          operationId: 'getVaultMetrics',
          summary: 'Prices, holdings and yield of a vault',
          description: FIGURES,
          weight: 1,
        },
        { params: Type.Object({ pubkey: AddressString }), answer: VaultMetrics },
      ),
      async ({ params }) => {
        const cluster = clusters.select(undefined);
        const terms = termsOf(cluster);
        const vault = requireVaultSnapshot(cluster, terms, toAddress(params.pubkey));
        return metricsJson(vault, cluster, terms);
      },
    );

    app.get(
      '/kvaults/vaults/metrics',
      defineOperation(
        {
          ...facts,
          operationId: 'listVaultMetrics',
          summary: 'The same of all vaults',
          description: `In the order of listVaults, in pages. ${FIGURES}`,
          weight: 10,
        },
        { querystring: PageQuery, answer: VaultMetricsPage },
      ),
      async ({ query: { limit = MAX_PAGE, paginationToken } }) => {
        const cluster = clusters.select(undefined);
        const terms = termsOf(cluster);
        const vaults = sortByCreation(cluster.reader.vaults());
        const start = paginationToken === undefined ? 0 : placeAfter(paginationToken, vaults);
        const page = vaults.slice(start, start + limit);
        const last = page.at(-1);
        return {
          result: page.flatMap((vault) => {
            const now = snapshotVault(vault, terms);
            return now === undefined ? [] : rowJson(now, cluster, terms);
          }),
          paginationToken:
            last === undefined || start + limit >= vaults.length ? null : tokenOf(last),
        };
      },
    );
  };

function metricsJson(vault: VaultSnapshot, cluster: Cluster, terms: VaultViewContext) {
  const { reader, registry, vaultPasts } = cluster;
  const holders = countHolders(vault.fields, reader, createStakerLister(reader));
  const incentives = vaultSeasonApr(vault, registry.seasons, terms);
  const metrics = viewVaultMetrics(vault, terms);
  const past = vaultPasts?.of(vault.address);
  if (past === undefined) return vaultMetricsJson(metrics, { holders, incentives });
  const now = { at: terms.at.unix, tokensPerShare: vault.tokensPerShare };
  const trailing = past.anchors.length === 0 ? undefined : trailingApys(past.anchors, now);
  const sums = addEarningsSinceSample(past.newest, vault, metrics);
  return vaultMetricsJson({ ...metrics, ...sums }, { holders, incentives, trailing });
}

const rowJson = (vault: VaultSnapshot, cluster: Cluster, terms: VaultViewContext) => ({
  kvault: vault.address,
  ...metricsJson(vault, cluster, terms),
});

type Listed = ReturnType<Cluster['reader']['vaults']>[number];

/** The last vault of a page by what it is ordered by, so that the next page is right whatever has come since. */
const tokenOf = ({ address, fields }: Listed): string => `${fields.creationTimestamp}-${address}`;

const TOKEN = /^(\d{1,20})-([1-9A-HJ-NP-Za-km-z]{32,44})$/;

function placeAfter(token: string, vaults: readonly Listed[]): number {
  const [, made, address] = TOKEN.exec(token) ?? [];
  if (made === undefined || address === undefined) {
    const message = 'paginationToken must be one that a page before has given';
    const issue = { path: ['paginationToken'], code: 'invalid_string', message };
    throw new CodedError('INVALID_QUERY', { issues: [issue] });
  }
  const place = vaults.findIndex(({ fields, address: other }) => {
    const { creationTimestamp } = fields;
    return creationTimestamp === BigInt(made) ? other > address : creationTimestamp > BigInt(made);
  });
  return place === -1 ? vaults.length : place;
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, toAddress } from '@tidegate/core/base';
import { drawShareMintIcon, vaultName, viewShareMint } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import { AddressString, ClusterNameString } from '../../http/schemas/primitives.ts';
import type { FeatureContext } from '../feature-context.ts';
import { tokenSymbolOrMint, type VaultPricingCache } from '../pricing/vault-pricing-cache.ts';

const ShareMintMetadata = Type.Object(
  {
    name: Type.String(),
    symbol: Type.String(),
    description: Type.String(),
    image: Type.String({ format: 'uri' }),
  },
  { title: 'ShareMintMetadata' },
);

const MEDIA_TYPE = 'image/svg+xml';

const parts = {
  params: Type.Object({ pubkey: AddressString }),
  querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
};

type Parts = Pick<FeatureContext, 'clusters' | 'tokens' | 'trustedProxies'>;

export const shareMintRoutes =
  (
    { clusters, tokens, trustedProxies }: Parts,
    termsOf: VaultPricingCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn', weight: 1, statuses: [400, 404, 500] } as const;

    function sharesOf(cluster: Cluster, text: string) {
      const sharesMint = toAddress(text);
      const vault = cluster.reader.vaultOfShares(sharesMint);
      if (vault === undefined) {
        throw new CodedError('NOT_FOUND', { what: 'vault with the share mint', address: text });
      }
      const terms = termsOf(cluster);
      const { registry } = cluster;
      const ticker = tokenSymbolOrMint(vault.fields.tokenMint, {
        registry,
        terms,
        catalogue: tokens,
      });
      return { sharesMint, ticker, vaultName: vaultName(vault.fields) };
    }

    // not kept: the address of the image is the one that this caller has reached us at
    app.get(
      '/kvaults/mints/:pubkey/metadata',
      defineOperation(
        {
          ...facts,
          operationId: 'getShareMintMetadata',
          summary: 'Metadata of a vault’s share token',
          description: 'In the form that wallets read.',
        },
        { ...parts, answer: ShareMintMetadata },
      ),
      async ({ params, query, raw }) => {
        const {
          sharesMint,
          ticker,
          vaultName: name,
        } = sharesOf(clusters.select(query.env), params.pubkey);
        const env = query.env === undefined ? '' : `?env=${query.env}`;
        const path = `/kvaults/mints/${sharesMint}/metadata/image.svg${env}`;
        const image = `${publicUrl(raw, trustedProxies)}${path}`;
        return { ...viewShareMint(ticker, name), image };
      },
    );

    app.get(
      '/kvaults/mints/:pubkey/metadata/image.svg',
      defineOperation(
        {
          ...facts,
          operationId: 'getShareMintIcon',
          summary: 'Icon of a vault’s share token',
          description: 'The same for as long as the vault has its name.',
          mediaType: MEDIA_TYPE,
          cacheControl: 'public, max-age=86400',
          headers: ['content-security-policy', "default-src 'none'"],
          keptWhile: () => clusters.version(),
        },
        { ...parts, answer: Type.String() },
      ),
      async ({ params, query }, reply) => {
        const facts = sharesOf(clusters.select(query.env), params.pubkey);
        reply.type(`${MEDIA_TYPE}; charset=utf-8`);
        return drawShareMintIcon(facts);
      },
    );
  };

import { toAddress } from '@tidegate/core/base';
import { drawShareMintIcon, vaultName, viewShareMint } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { hostDependentHeaders, publicUrl } from '../../http/public-url.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString } from '../../http/schemas/primitives.ts';
import { requireReadable } from '../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { tokenSymbolOrMint, vaultPricingCache } from '../../support/pricing/vault-pricing-cache.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';

const ShareMintMetadata = Type.Object(
  {
    name: Type.String({ description: 'Name of the share token' }),
    symbol: Type.String({ description: 'Symbol of the share token' }),
    description: Type.String({ description: 'Description of the share token' }),
    image: describe(Type.String({ format: 'uri' }), 'URL of the icon'),
  },
  { title: 'ShareMintMetadata' },
);

const MEDIA_TYPE = 'image/svg+xml';

const requestSchemas = {
  params: Type.Object({ pubkey: describe(AddressString, 'Mint of the shares of a vault') }),
  querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
};

/** Not cached: the image URL depends on the host that the caller used. */
export const getShareMintMetadata: OperationPlugin = (context) => async (app) => {
  app.get(
    '/kvaults/mints/:pubkey/metadata',
    defineOperation(
      {
        operationId: 'getShareMintMetadata',
        tag: 'earn',
        summary: 'Metadata of a vault share token',
        description: 'In the JSON format that wallets read.',
        weight: 1,
        statuses: [400, 404, 500],
        headers: hostDependentHeaders,
      },
      { ...requestSchemas, response: ShareMintMetadata },
    ),
    async ({ params: { pubkey }, query: { env }, raw }) => {
      const shareMint = requireShareMint(context, pubkey, env);
      const query = env === undefined ? '' : `?env=${shareMint.env}`;
      const path = `/kvaults/mints/${shareMint.sharesMint}/metadata/image.svg${query}`;
      const image = `${publicUrl(raw, context.trustedProxies)}${path}`;
      return { ...viewShareMint(shareMint.ticker, shareMint.vaultName), image };
    },
  );
};

export const getShareMintIcon: OperationPlugin = (context) => async (app) => {
  app.get(
    '/kvaults/mints/:pubkey/metadata/image.svg',
    defineOperation(
      {
        operationId: 'getShareMintIcon',
        tag: 'earn',
        summary: 'Icon of a vault share token',
        description: 'Changes only when the vault is renamed.',
        weight: 1,
        statuses: [400, 404, 500],
        mediaType: MEDIA_TYPE,
        cacheControl: 'public, max-age=86400',
        headers: ['content-security-policy', "default-src 'none'"],
        dependsOn: [...VAULT_DEPENDENCIES, 'tokens'],
      },
      { ...requestSchemas, response: Type.String() },
    ),
    async ({ params: { pubkey }, query: { env } }, reply) => {
      const shareMint = requireShareMint(context, pubkey, env);
      reply.type(`${MEDIA_TYPE}; charset=utf-8`);
      return drawShareMintIcon(shareMint);
    },
  );
};

function requireShareMint(context: OperationContext, pubkey: string, env: ClusterName | undefined) {
  const cluster = context.clusters.requireLoaded(env);
  const sharesMint = toAddress(pubkey);
  const vault = cluster.reader.vaultOfShares(sharesMint);
  if (vault === undefined) {
    const [unreadable] = cluster.reader.unreadable.ofKind('vault', sharesMint);
    if (unreadable !== undefined) requireReadable(cluster.reader, unreadable.address);
    throw new CodedError('NOT_FOUND', { what: 'vault with the share mint', address: pubkey });
  }
  const ticker = tokenSymbolOrMint(vault.fields.tokenMint, {
    registry: cluster.registry,
    pricing: vaultPricingCache(context)(cluster),
    catalogue: context.tokens,
  });
  return { env: cluster.env, sharesMint, ticker, vaultName: vaultName(vault.fields) };
}

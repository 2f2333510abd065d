import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, formatRatio, toAddress } from '@tidegate/core/base';
import {
  hasShares,
  type VaultPosition,
  viewVaultPosition,
  viewVaultPositions,
} from '@tidegate/core/views/portfolio';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import type { FeatureContext } from '../feature-context.ts';

const VaultShareBalance = Type.Object(
  {
    vaultAddress: AddressString,
    stakedShares: DecimalString,
    unstakedShares: DecimalString,
    totalShares: DecimalString,
  },
  { title: 'VaultShareBalance' },
);

/** 20 digits before the point, and as many behind it as a stake with 18 decimals of a share with 255 can have. */
const EXACT_DIGITS = 300;

export const vaultPositionRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn-users', weight: 1, keptWhile: () => clusters.version() } as const;

    app.get(
      '/kvaults/users/:pubkey/positions',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserVaultPositions',
          summary: 'Vault shares of a wallet',
          description:
            'Vaults of which it has shares: in its associated token account, or staked in the vault’s farm. By address.',
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          answer: Type.Array(VaultShareBalance),
        },
      ),
      async ({ params }) => {
        const cluster = clusters.select(undefined);
        const { reader } = cluster;
        const owner = toAddress(params.pubkey);
        await cluster.ensureWallet(owner);
        return viewVaultPositions(reader.vaults(), owner, reader).map(toJson);
      },
    );

    app.get(
      '/kvaults/users/:userPubkey/positions/:vaultPubkey',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserVaultPosition',
          summary: 'Shares of a wallet in one vault',
          description: '404 where it has none.',
          statuses: [400, 404, 500],
        },
        {
          params: Type.Object({ userPubkey: AddressString, vaultPubkey: AddressString }),
          answer: VaultShareBalance,
        },
      ),
      async ({ params }) => {
        const cluster = clusters.select(undefined);
        const owner = toAddress(params.userPubkey);
        const address = toAddress(params.vaultPubkey);
        await cluster.ensureWallet(owner);
        const vault = cluster.reader.vault(address);
        if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
        const position = viewVaultPosition(vault, owner, cluster.reader);
        if (hasShares(position)) return toJson(position);
        throw new CodedError('NOT_FOUND', { what: `position of ${owner} in the vault`, address });
      },
    );
  };

const toJson = (position: VaultPosition): Static<typeof VaultShareBalance> => ({
  vaultAddress: position.vault,
  stakedShares: formatRatio(position.staked, EXACT_DIGITS),
  unstakedShares: formatRatio(position.unstaked, EXACT_DIGITS),
  totalShares: formatRatio(position.total, EXACT_DIGITS),
});

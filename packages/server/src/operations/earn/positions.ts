import { formatRatio, toAddress } from '@tidegate/core/base';
import {
  hasShares,
  type VaultPosition,
  viewVaultPosition,
  viewVaultPositions,
} from '@tidegate/core/views/portfolio';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import {
  requireReadable,
  setOmittedHeader,
  unreadableAccounts,
} from '../../support/pricing/data-notes.ts';
import { VaultParameter, WalletParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const VaultShareBalance = Type.Object(
  {
    vaultAddress: describe(AddressString, 'Address of the vault'),
    stakedShares: describe(
      DecimalString,
      'Shares staked in the farm of the vault, in whole shares',
    ),
    unstakedShares: describe(
      DecimalString,
      'Shares in the associated token account of the wallet, in whole shares',
    ),
    totalShares: describe(DecimalString, 'Sum of staked and unstaked shares'),
  },
  { title: 'VaultShareBalance' },
);

/** 20 integer digits, plus the decimals of a share (at most 255) and of a stake (18). */
const EXACT_DIGITS = 300;

export const listUserVaultPositions: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/users/:pubkey/positions',
      defineOperation(
        {
          operationId: 'listUserVaultPositions',
          tag: 'earn-users',
          summary: 'Vault positions of a wallet',
          description:
            'Shares in the associated token account of the wallet and shares staked in the farm of the vault, sorted by vault address. Tokens and values are in `getPortfolio`.',
          weight: 1,
          statuses: [400, 500],
          dependsOn: ['slot', 'vault', 'farm', 'farmUser', 'shares'],
        },
        {
          params: Type.Object({ pubkey: WalletParameter }),
          response: Type.Array(VaultShareBalance),
        },
      ),
      async ({ params }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const { reader } = cluster;
        const owner = toAddress(params.pubkey);
        await cluster.loadWallet(owner);
        const { items, omitted } = viewVaultPositions(reader.vaults(), owner, reader);
        setOmittedHeader(reply, [
          ...omitted,
          ...unreadableAccounts(reader, 'vault'),
          ...unreadableAccounts(reader, 'farmUser', owner),
        ]);
        return items.map(positionJson);
      },
    );
  };

export const getUserVaultPosition: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/users/:userPubkey/positions/:vaultPubkey',
      defineOperation(
        {
          operationId: 'getUserVaultPosition',
          tag: 'earn-users',
          summary: 'Position of a wallet in a vault',
          description: 'Returns 404 if the wallet has no shares of the vault.',
          weight: 1,
          statuses: [400, 404, 500],
          dependsOn: ['slot', 'vault', 'farm', 'farmUser', 'shares'],
        },
        {
          params: Type.Object({ userPubkey: WalletParameter, vaultPubkey: VaultParameter }),
          response: VaultShareBalance,
        },
      ),
      async ({ params }) => {
        const cluster = clusters.requireLoaded(undefined);
        const owner = toAddress(params.userPubkey);
        const address = toAddress(params.vaultPubkey);
        await cluster.loadWallet(owner);
        requireReadable(cluster.reader, address);
        const vault = cluster.reader.vault(address);
        if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
        const position = viewVaultPosition(vault, owner, cluster.reader);
        if (hasShares(position)) return positionJson(position);
        throw new CodedError('NOT_FOUND', { what: `position of ${owner} in the vault`, address });
      },
    );
  };

const positionJson = (position: VaultPosition): Static<typeof VaultShareBalance> => ({
  vaultAddress: position.vault,
  stakedShares: formatRatio(position.staked, EXACT_DIGITS),
  unstakedShares: formatRatio(position.unstaked, EXACT_DIGITS),
  totalShares: formatRatio(position.total, EXACT_DIGITS),
});

import { toAddress } from '@tidegate/core/base';
import { sortByCreation, viewVault } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import {
  requireReadable,
  setOmittedHeader,
  unreadableAccounts,
} from '../../../support/pricing/data-notes.ts';
import { VaultParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { vaultJson } from './json.ts';
import { Vault } from './schema.ts';

export const listVaults: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/vaults',
      defineOperation(
        {
          operationId: 'listVaults',
          tag: 'earn',
          summary: 'All vaults',
          description: 'Vault accounts as stored on chain, oldest first.',
          weight: 5,
          statuses: [400, 500],
          dependsOn: ['vault'],
        },
        { response: Type.Array(Vault) },
      ),
      async (_request, reply) => {
        const { reader } = clusters.requireLoaded(undefined);
        setOmittedHeader(reply, unreadableAccounts(reader, 'vault'));
        return sortByCreation(reader.vaults()).map((vault) => vaultJson(viewVault(vault)));
      },
    );
  };

export const getVault: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey',
      defineOperation(
        {
          operationId: 'getVault',
          tag: 'earn',
          summary: 'A vault',
          description:
            'Vault account as stored on chain. Amounts are in the smallest unit of the token. Unused slots of the allocation strategy are omitted.',
          weight: 1,
          statuses: [400, 404, 500],
          dependsOn: ['vault'],
        },
        { params: Type.Object({ pubkey: VaultParameter }), response: Vault },
      ),
      async ({ params }) => {
        const address = toAddress(params.pubkey);
        const { reader } = clusters.requireLoaded(undefined);
        requireReadable(reader, address);
        const vault = reader.vault(address);
        if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
        return vaultJson(viewVault(vault));
      },
    );
  };

import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { listAddressRoles } from './address-roles.ts';
import { AddressIdentity } from './schema.ts';

export const identifyAddress: OperationPlugin = (context) => async (app) => {
  app.get(
    '/addresses/:pubkey',
    defineOperation(
      {
        operationId: 'identifyAddress',
        tag: 'chain',
        summary: 'What an address is',
        description:
          'Market, reserve, loan, vault, farm, token, program, wallet: what the account is on the cluster, and what it belongs to. Only the state in memory is read: no endpoint is called for an unknown address. Without all wallets in memory, a loan or wallet that nobody has requested is not known.',
        weight: 1,
        statuses: [400, 500],
      },
      {
        params: Type.Object({ pubkey: describe(AddressString, 'Any address') }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: AddressIdentity,
      },
    ),
    async ({ params, query }) => {
      const cluster = context.clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      return { address, roles: listAddressRoles(address, cluster, context.tokens) };
    },
  );
};

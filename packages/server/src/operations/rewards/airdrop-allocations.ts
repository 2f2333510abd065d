import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { DecimalString } from '../../http/schemas/primitives.ts';
import { WalletParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const AirdropShare = Type.Object(
  {
    quantity: Type.Unsafe<string>({ ...DecimalString, description: 'In whole tokens' }),
    name: Type.String({ description: 'Name of the airdrop' }),
  },
  { title: 'AirdropShare' },
);

export const listAirdropAllocations: OperationPlugin = () => async (app) => {
  app.get(
    '/v2/airdrop/users/:pubkey/allocations',
    defineOperation(
      {
        operationId: 'listAirdropAllocations',
        tag: 'season',
        summary: 'Airdrop allocations of a wallet',
        description:
          'Always an empty list: this deployment distributes no airdrop, and allocations of others are not on chain. Season rewards are at /season-rewards/users/{pubkey}.',
        weight: 1,
        statuses: [400, 500],
        dependsOn: [],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: Type.Object({
          source: Type.Optional(Type.String({ description: 'Name of an airdrop; has no effect' })),
        }),
        response: Type.Array(AirdropShare),
      },
    ),
    async () => [],
  );
};

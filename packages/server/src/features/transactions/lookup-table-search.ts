import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import { selectLookupTables } from '@tidegate/core/builders';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import type { FeatureContext } from '../feature-context.ts';

const MOST_ADDRESSES = 100;

const LookupTableSearch = Type.Object(
  {
    addresses: Type.Array(AddressString, { minItems: 1, maxItems: MOST_ADDRESSES }),
    verify: Type.Optional(Type.Boolean({ default: true })),
    userAccounts: Type.Optional(
      Type.Array(AddressString, { maxItems: MOST_ADDRESSES, default: [] }),
    ),
  },
  { title: 'LookupTableSearch' },
);

const LookupTableSet = Type.Object(
  { lutAddresses: Type.Array(AddressString) },
  { title: 'LookupTableSet' },
);

export const findLookupTables =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/luts/find-minimal',
      defineOperation(
        {
          operationId: 'findLookupTables',
          tag: 'lookup-tables',
          summary: 'The fewest lookup tables that hold given addresses',
          description:
            'Searched are the tables of the registered markets and of the vaults, with what a transaction can use of them at the slot of the answer. Every address that is in one of them is in one of the answer’s; an address that is in none is left out. `verify` and `userAccounts` change nothing: the tables are always as they are on the chain, and none is extended for what is missing.',
          weight: 5,
          statuses: [400, 500],
        },
        { body: LookupTableSearch, answer: LookupTableSet },
      ),
      async ({ body }) => {
        const { reader } = clusters.select(undefined);
        const addresses = body.addresses.map(toAddress);
        const { slot } = reader.at();
        const tables = selectLookupTables(reader.lookupTables(), { addresses, slot });
        return { lutAddresses: tables.map(({ address }) => address) };
      },
    );
  };

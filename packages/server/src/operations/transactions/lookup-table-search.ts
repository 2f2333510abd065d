import { toAddress } from '@tidegate/core/base';
import { selectLookupTables } from '@tidegate/core/builders';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';

const MAX_ADDRESSES = 100;

const LookupTableSearch = Type.Object(
  {
    addresses: describe(
      Type.Array(AddressString, { minItems: 1, maxItems: MAX_ADDRESSES }),
      'Addresses that the tables should contain',
    ),
    verify: describe(
      Type.Optional(Type.Boolean({ default: true })),
      'Has no effect: tables always match the chain',
    ),
    userAccounts: describe(
      Type.Optional(Type.Array(AddressString, { maxItems: MAX_ADDRESSES, default: [] })),
      'Has no effect: no table is extended',
    ),
  },
  { title: 'LookupTableSearch' },
);

const LookupTableSet = Type.Object(
  { lutAddresses: describe(Type.Array(AddressString), 'Addresses of the lookup tables') },
  { title: 'LookupTableSet' },
);

export const findLookupTables: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/luts/find-minimal',
      defineOperation(
        {
          operationId: 'findLookupTables',
          tag: 'lookup-tables',
          summary: 'Smallest set of lookup tables for given addresses',
          description:
            'Searches the lookup tables of the registered markets and of the vaults, and those that were found for other markets, as usable at the slot of the response. The result covers all addresses that any of these tables contains; other addresses are ignored. `verify` and `userAccounts` have no effect: tables always match the chain, and no table is extended.',
          weight: 5,
          statuses: [400, 500],
        },
        { body: LookupTableSearch, response: LookupTableSet },
      ),
      async ({ body }) => {
        const { reader } = clusters.requireLoaded(undefined);
        const addresses = body.addresses.map(toAddress);
        const { slot } = reader.at();
        const tables = selectLookupTables(reader.lookupTables(), { addresses, slot });
        return { lutAddresses: tables.map(({ address }) => address) };
      },
    );
  };

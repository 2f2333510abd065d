import { type Address, toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import { createStringValidator } from '../../http/validation.ts';
import type { OperationPlugin } from '../operation-context.ts';

const PRODUCT_TYPES = ['swap_pair', 'vault', 'strategy', 'market', 'meta_vault'] as const;

type ProductType = (typeof PRODUCT_TYPES)[number];

const ProductTypeString = Type.Unsafe<ProductType>({
  title: 'LookupTableProduct',
  type: 'string',
  enum: [...PRODUCT_TYPES],
  description: 'Kind of product; only market and vault have any',
});

const ProductAddress = describe(AddressString, 'Address of the market or vault');

const tablesOfProduct = {
  productIdentifierAddress: ProductAddress,
  lutAddresses: Type.Array(AddressString, {
    description: 'Lookup tables of the product; empty if it has none or is unknown',
  }),
};

const ManagedLookupTables = Type.Object(tablesOfProduct, { title: 'ManagedLookupTables' });

const ManagedLookupTablesByProduct = Type.Array(
  Type.Object({ ...tablesOfProduct, productType: ProductTypeString }),
  { title: 'ManagedLookupTablesByProduct' },
);

const MAX_PRODUCTS = 50;

const ProductList = Type.Array(AddressString, { minItems: 1, maxItems: MAX_PRODUCTS });

/** Fits all addresses, each with the parameter name. */
const MAX_QUERY_LENGTH = 4 * 1024;

const TABLES_DESCRIPTION =
  'Products are the lending markets with a lookup table in the registry, and the vaults with one in their account.';

const shared = { tag: 'lookup-tables', weight: 1, statuses: [400, 500] } as const;

export const getManagedLookupTables: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/luts/managed',
      defineOperation(
        {
          ...shared,
          operationId: 'getManagedLookupTables',
          summary: 'Lookup tables of a market or vault',
          description: TABLES_DESCRIPTION,
          dependsOn: ['vault'],
        },
        {
          querystring: Type.Object({ productIdentifierAddress: ProductAddress }),
          response: ManagedLookupTables,
        },
      ),
      async ({ query }) =>
        tablesJson(clusters.requireLoaded(undefined), toAddress(query.productIdentifierAddress)),
    );
  };

export const getManagedLookupTablesBatch: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/luts/managed/batch',
      {
        ...defineOperation(
          {
            ...shared,
            operationId: 'getManagedLookupTablesBatch',
            summary: 'Lookup tables of several markets and vaults',
            description: `${TABLES_DESCRIPTION} Each product once, in request order.`,
            maxQueryLength: MAX_QUERY_LENGTH,
            dependsOn: ['vault'],
          },
          {
            querystring: Type.Object({
              productIdentifierAddress: Type.Union([AddressString, ProductList], {
                description: 'Addresses of markets and vaults: repeat the parameter, at most 50',
              }),
            }),
            response: Type.Array(ManagedLookupTables, { title: 'ManagedLookupTablesBatch' }),
          },
        ),
        validatorCompiler: () => validateProductList,
      },
      async ({ query }) => {
        const cluster = clusters.requireLoaded(undefined);
        const products = new Set([query.productIdentifierAddress].flat().map(toAddress));
        return [...products].map((product) => tablesJson(cluster, product));
      },
    );
  };

/** One address is a list of one. */
const validateProductList = createStringValidator(
  Type.Object({ productIdentifierAddress: ProductList }),
  'INVALID_QUERY',
);

export const listManagedLookupTablesByProduct: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/luts/managed/product-type/:productType',
      defineOperation(
        {
          ...shared,
          operationId: 'listManagedLookupTablesByProduct',
          summary: 'Lookup tables of all markets or vaults',
          description: `${TABLES_DESCRIPTION} By address. Only market and vault have products; the other types belong to other programs.`,
          dependsOn: ['vault'],
        },
        {
          params: Type.Object({ productType: ProductTypeString }),
          response: ManagedLookupTablesByProduct,
        },
      ),
      async ({ params: { productType } }) => {
        const products = productsOf(clusters.requireLoaded(undefined), productType);
        return [...products]
          .filter(([, table]) => table !== ZERO_ADDRESS)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([productIdentifierAddress, table]) => ({
            productIdentifierAddress,
            productType,
            lutAddresses: [table],
          }));
      },
    );
  };

function tablesJson(cluster: Cluster, product: Address): Static<typeof ManagedLookupTables> {
  const market = cluster.registry.market(product)?.lookupTable;
  const table = market ?? cluster.reader.vault(product)?.fields.vaultLookupTable ?? ZERO_ADDRESS;
  return {
    productIdentifierAddress: product,
    lutAddresses: table === ZERO_ADDRESS ? [] : [table],
  };
}

/** Lookup tables by product. */
function productsOf(
  { registry, reader }: Cluster,
  type: ProductType,
): ReadonlyMap<Address, Address> {
  switch (type) {
    case 'market':
      return new Map(registry.markets.map(({ address, lookupTable }) => [address, lookupTable]));
    case 'vault':
      return new Map(
        reader.vaults().map(({ address, fields }) => [address, fields.vaultLookupTable]),
      );
    case 'swap_pair':
    case 'strategy':
    case 'meta_vault':
      return new Map();
  }
}

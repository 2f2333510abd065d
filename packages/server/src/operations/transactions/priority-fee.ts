import {
  type Address,
  formatRatio,
  formatUnits,
  LIVE_DIGITS,
  mulRatio,
  type Ratio,
  ratioOfUnits,
} from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { type LoadedMessage, parseWireTransaction } from '@tidegate/core/views/transactions';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { hasCode } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { ClusterNameString, DecimalString, U64String } from '../../http/schemas/primitives.ts';
import { vaultPricingCache } from '../../support/pricing/vault-pricing-cache.ts';
import { loadLookupTables } from '../../support/transactions/load-lookup-tables.ts';
import type { OperationPlugin } from '../operation-context.ts';

/** Several times the size limit of a transaction. */
const MAX_TRANSACTION_LENGTH = 16_384;
const MAX_UNITS = 1_400_000;
/** The most that nodes accept in one request. */
const MAX_ACCOUNTS = 128;
const MICRO = 1_000_000n;
const SOL_DECIMALS = 9;

/** Part of the recent slots in which the price would have been enough. */
const levels = [
  { name: 'normal', percentile: 50 },
  { name: 'fast', percentile: 75 },
  { name: 'urgent', percentile: 95 },
] as const;

const PriorityFeeRequest = Type.Object(
  {
    transaction: Type.String({
      minLength: 1,
      maxLength: MAX_TRANSACTION_LENGTH,
      description: 'Wire transaction in base64, signed or unsigned, legacy or version 0',
    }),
    computeUnitLimit: Type.Integer({
      minimum: 1,
      maximum: MAX_UNITS,
      description:
        'Compute units that the transaction will request: the fee is paid for all of them',
    }),
  },
  { title: 'PriorityFeeRequest' },
);

const PriorityFeeLevel = Type.Object(
  {
    name: Type.Unsafe<(typeof levels)[number]['name']>({
      type: 'string',
      enum: levels.map(({ name }) => name),
      description: 'How much it hurries',
    }),
    percentile: Type.Integer({
      description: 'Percent of the recent slots in which this price was enough',
    }),
    computeUnitPrice: Type.Unsafe<string>({
      ...U64String,
      description: 'Price in micro-lamports per compute unit, as builders accept it',
    }),
    lamports: Type.Unsafe<string>({
      ...U64String,
      description: 'Priority fee for the compute unit limit, rounded up, without the signature fee',
    }),
    sol: describe(DecimalString, 'The same in SOL'),
    usd: describe(
      Type.Union([DecimalString, Type.Null()]),
      'The same in USD; null if no listed market has a price of SOL',
    ),
  },
  { title: 'PriorityFeeLevel' },
);

const PriorityFees = Type.Object(
  {
    writableAccounts: Type.Integer({ description: 'Accounts that the transaction writes' }),
    slots: Type.Integer({ description: 'Recent slots that the node has prices of' }),
    newestSlot: describe(
      Type.Union([U64String, Type.Null()]),
      'The newest of them; null if there is none',
    ),
    levels: Type.Array(PriorityFeeLevel, {
      description:
        'From the lowest to the highest; empty if the node has no prices, or does not serve them',
    }),
  },
  { title: 'PriorityFees' },
);

type Level = Static<typeof PriorityFeeLevel>;

export const suggestPriorityFee: OperationPlugin = (context) => async (app) => {
  const pricing = vaultPricingCache(context);
  app.post(
    '/ktx/priority-fee',
    defineOperation(
      {
        operationId: 'suggestPriorityFee',
        tag: 'builders',
        errorFormat: 'builder',
        summary: 'Priority fees for a transaction',
        description:
          'What recent transactions paid that write the same accounts (`getRecentPrioritizationFees` of the node), as prices for the builders and as fees for a compute unit limit. Set the limit from `preview.computeUnits` with some room, because the whole limit is paid for.',
        weight: 5,
        statuses: [400, 500],
      },
      {
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        body: PriorityFeeRequest,
        response: PriorityFees,
      },
    ),
    async ({ body, query }) => {
      const wire = parseWireTransaction(body.transaction);
      const cluster = context.clusters.requireLoaded(query.env);
      const writable = writableAccounts(await loadLookupTables(wire, cluster));
      const samples = await readSamples(cluster, writable.slice(0, MAX_ACCOUNTS));
      const prices = samples.map(({ microLamports }) => microLamports);
      return {
        writableAccounts: writable.length,
        slots: samples.length,
        newestSlot: newestOf(samples.map(({ slot }) => slot))?.toString() ?? null,
        levels: levelsOf(prices, {
          units: BigInt(body.computeUnitLimit),
          solPrice: pricing(cluster).tokens(WRAPPED_SOL_MINT)?.price,
        }),
      };
    },
  );
};

/** None from a node that does not serve the method. */
async function readSamples(
  cluster: Cluster,
  writable: readonly Address[],
): ReturnType<Cluster['recentPriorityFees']> {
  try {
    return await cluster.recentPriorityFees(writable);
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return [];
    throw error;
  }
}

const writableAccounts = ({ accounts }: LoadedMessage): Address[] => [
  ...new Set(accounts.flatMap(({ address, isWritable }) => (isWritable ? [address] : []))),
];

const newestOf = (slots: readonly bigint[]): bigint | undefined =>
  slots.reduce<bigint | undefined>(
    (newest, slot) => (newest === undefined || slot > newest ? slot : newest),
    undefined,
  );

function levelsOf(
  prices: readonly bigint[],
  { units, solPrice }: { readonly units: bigint; readonly solPrice: Ratio | undefined },
): Level[] {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return levels.flatMap(({ name, percentile }) => {
    const price = sorted[Math.ceil((sorted.length * percentile) / 100) - 1];
    if (price === undefined) return [];
    const lamports = (price * units + MICRO - 1n) / MICRO;
    return [
      {
        name,
        percentile,
        computeUnitPrice: price.toString(),
        lamports: lamports.toString(),
        sol: formatUnits(lamports, SOL_DECIMALS),
        usd: solPrice === undefined ? null : usdOf(lamports, solPrice),
      },
    ];
  });
}

const usdOf = (lamports: bigint, solPrice: Ratio): string =>
  formatRatio(mulRatio(ratioOfUnits(lamports, BigInt(SOL_DECIMALS)), solPrice), LIVE_DIGITS);

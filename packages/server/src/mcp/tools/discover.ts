import { quoteName, untrustedName, untrustedSymbol } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import type { Answer, AnswerData } from '../answer/answer.ts';
import { compare, percent, short, shortRatio, sum } from '../answer/figures.ts';
import { type ApiReading, startReading } from '../api/api-reading.ts';
import {
  listAllReserves,
  listMarketRows,
  listTokenRows,
  listVaultFigures,
  listVaultRows,
  tokenSymbols,
} from '../api/catalogue.ts';
import { defineTool } from '../tool.ts';

const MAX_ROWS = 20;
const DEFAULT_ROWS = 10;

const KINDS = ['vault', 'reserve', 'market', 'token'] as const;
type Kind = (typeof KINDS)[number];

const Input = Type.Object(
  {
    kind: Type.Unsafe<Kind>({
      type: 'string',
      enum: [...KINDS],
      description:
        'vault: earn vaults with yields; reserve: tokens to lend or borrow in a market; market: lending markets; token: the token catalogue',
    }),
    query: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Words of a name, a symbol such as USDC, or an address. Omit to list all',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: 'Rows; 10 by default' }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Rows to skip, to see more' }),
    ),
  },
  { additionalProperties: false },
);

/** One entry of a list. */
type Row = {
  /** What the words of a query are compared with. */
  readonly words: readonly string[];
  readonly line: string;
  readonly data: AnswerData;
};

export const discoverTool = defineTool({
  name: 'discover',
  title: 'Find vaults, reserves, markets and tokens',
  description:
    'Finds earn vaults, reserves (tokens to lend or borrow), lending markets and tokens by words, symbol or address, with their addresses and main figures. Start here: the other tools need addresses. The largest come first. Yields are yearly fractions (0.05 is 5 %).',
  input: Input,
  run: async (input, { api }) => {
    const reading = startReading(api);
    const rows = await listers[input.kind](reading);
    return answerOf(input, rows, reading);
  },
});

function answerOf(
  { kind, query = '', limit = DEFAULT_ROWS, offset = 0 }: Static<typeof Input>,
  rows: readonly Row[],
  reading: ApiReading,
): Answer {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => matches(row, words));
  const page = found.slice(offset, offset + limit);
  const rest = found.length - offset - page.length;
  const filter = words.length === 0 ? '' : ` that match ${quoteName(query)}`;
  return {
    lines: [
      `${found.length} ${kind}s${filter}; ${page.length} shown, largest first.`,
      ...page.map(({ line }) => line),
    ],
    data: { total: found.length, offset, [`${kind}s`]: page.map(({ data }) => data) },
    next: [
      ...(rest > 0 ? [`${rest} more: call discover with offset ${offset + page.length}.`] : []),
      ...(found.length === 0 ? ['Use fewer words, or omit query to list all.'] : []),
    ],
    freshness: reading.freshness(),
    notes: reading.notes(),
  };
}

const matches = (row: Row, words: readonly string[]): boolean =>
  words.every((word) => row.words.some((text) => text.toLowerCase().includes(word)));

const listers: { readonly [K in Kind]: (reading: ApiReading) => Promise<Row[]> } = {
  vault: listVaultEntries,
  reserve: listReserveEntries,
  market: listMarketEntries,
  token: listTokenEntries,
};

async function listVaultEntries(reading: ApiReading): Promise<Row[]> {
  const [vaults, figures, symbols] = await Promise.all([
    listVaultRows(reading),
    listVaultFigures(reading),
    tokenSymbols(reading),
  ]);
  const rows = vaults.flatMap(({ address, state }) => {
    const own = figures.get(address);
    if (own === undefined) return [];
    const symbol = untrustedSymbol(symbols.get(state.tokenMint) ?? '') || 'unknown token';
    const tvl = sum([own.tokensAvailableUsd, own.tokensInvestedUsd]);
    const row: Row = {
      words: [state.name, symbol, address, state.tokenMint],
      line: `Vault ${quoteName(state.name)} (${symbol}) at ${address}: pays ${percent(own.apyActual)} a year now before rewards, holds ${shortRatio(tvl)} USD.`,
      data: {
        vault: address,
        untrustedName: untrustedName(state.name),
        untrustedSymbol: symbol,
        tokenMint: state.tokenMint,
        apyActual: short(own.apyActual),
        apy30d: short(own.apy30d),
        apyFarmRewards: short(own.apyFarmRewards),
        apyIncentives: short(own.apyIncentives),
        apyReservesIncentives: short(own.apyReservesIncentives),
        tvlUsd: shortRatio(tvl),
        withdrawableTokens: short(own.tokensAvailable),
        holders: own.numberOfHolders,
      },
    };
    return [{ row, tvl }];
  });
  return rows.toSorted((a, b) => compare(b.tvl, a.tvl)).map(({ row }) => row);
}

async function listReserveEntries(reading: ApiReading): Promise<Row[]> {
  const reserves = await listAllReserves(reading);
  const rows = reserves.map(({ market, reserve }) => {
    const symbol = untrustedSymbol(reserve.liquidityToken);
    const row: Row = {
      words: [symbol, reserve.reserve, reserve.liquidityTokenMint, market.name],
      line: `Reserve ${symbol} at ${reserve.reserve} in market ${quoteName(market.name)}: lending pays ${percent(reserve.supplyApy)} a year, borrowing costs ${percent(reserve.borrowApy)}, loan-to-value up to ${percent(reserve.maxLtv)}.`,
      data: {
        reserve: reserve.reserve,
        market: market.lendingMarket,
        untrustedMarketName: untrustedName(market.name),
        untrustedSymbol: symbol,
        tokenMint: reserve.liquidityTokenMint,
        supplyApy: short(reserve.supplyApy),
        borrowApy: short(reserve.borrowApy),
        maxLtv: short(reserve.maxLtv),
        totalSupplyUsd: short(reserve.totalSupplyUsd),
        totalBorrowUsd: short(reserve.totalBorrowUsd),
      },
    };
    return { row, size: sum([reserve.totalSupplyUsd]) };
  });
  return rows.toSorted((a, b) => compare(b.size, a.size)).map(({ row }) => row);
}

/** Primary markets first, as the server lists them. */
async function listMarketEntries(reading: ApiReading): Promise<Row[]> {
  const markets = await listMarketRows(reading);
  return markets.map(({ lendingMarket, name, description, isPrimary, isCurated }) => ({
    words: [name, lendingMarket, description ?? ''],
    line: `Market ${quoteName(name)} at ${lendingMarket}${isPrimary ? ', the primary one' : ''}${isCurated ? ', operated by a curator' : ''}.`,
    data: {
      market: lendingMarket,
      untrustedName: untrustedName(name),
      untrustedDescription: untrustedName(description ?? ''),
      isPrimary,
      isCurated,
    },
  }));
}

async function listTokenEntries(reading: ApiReading): Promise<Row[]> {
  const tokens = await listTokenRows(reading);
  return tokens.map(({ mint, symbol, name, decimals, verified }) => ({
    words: [symbol, name, mint],
    line: `Token ${quoteName(symbol)} (${quoteName(name)}) with mint ${mint}, ${decimals} decimals, ${verified ? 'verified' : 'NOT verified: anybody can create a token of this name'}.`,
    data: {
      mint,
      untrustedSymbol: untrustedName(symbol),
      untrustedName: untrustedName(name),
      decimals,
      verified,
    },
  }));
}

import type { ApiReading } from './api-reading.ts';
import {
  type MarketRow,
  Markets,
  type ReserveRow,
  Reserves,
  type TokenRow,
  Tokens,
  VaultFiguresPage,
  type VaultFiguresRow,
  type VaultRow,
  Vaults,
} from './api-schemas.ts';

/** The most that the server returns. */
const MAX_TOKENS = 1000;
/** 100 vaults each. */
const MAX_PAGES = 20;

export type ReserveOfMarket = { readonly market: MarketRow; readonly reserve: ReserveRow };

export const listMarketRows = (reading: ApiReading): Promise<readonly MarketRow[]> =>
  reading.get(Markets, '/v2/svc-market');

export const listTokenRows = (reading: ApiReading): Promise<readonly TokenRow[]> =>
  reading.get(Tokens, `/tokens-api/tokens?limit=${MAX_TOKENS}`);

export const listVaultRows = (reading: ApiReading): Promise<readonly VaultRow[]> =>
  reading.get(Vaults, '/kvaults/vaults');

export const listReserveRows = (
  reading: ApiReading,
  market: string,
): Promise<readonly ReserveRow[]> =>
  reading.get(Reserves, `/svc-market/${market}/reserves/metrics`);

/** The reserves of all markets that the server lists. */
export async function listAllReserves(reading: ApiReading): Promise<ReserveOfMarket[]> {
  const markets = await listMarketRows(reading);
  const lists = await Promise.all(
    markets.map(async (market) => {
      const reserves = await listReserveRows(reading, market.lendingMarket);
      return reserves.map((reserve) => ({ market, reserve }));
    }),
  );
  return lists.flat();
}

export async function findReserve(
  reading: ApiReading,
  address: string,
): Promise<ReserveOfMarket | undefined> {
  const all = await listAllReserves(reading);
  return all.find(({ reserve }) => reserve.reserve === address);
}

/** Figures of all vaults, by address. */
export async function listVaultFigures(
  reading: ApiReading,
): Promise<ReadonlyMap<string, VaultFiguresRow>> {
  const figures = new Map<string, VaultFiguresRow>();
  let token: string | null = '';
  for (let page = 0; page < MAX_PAGES && token !== null; page++) {
    const query: string = token === '' ? '' : `?paginationToken=${encodeURIComponent(token)}`;
    const { result, paginationToken }: VaultPage = await reading.get(
      VaultFiguresPage,
      `/kvaults/vaults/metrics${query}`,
    );
    for (const { kvault, ...each } of result) figures.set(kvault, each);
    token = paginationToken;
  }
  return figures;
}

type VaultPage = {
  readonly result: readonly (VaultFiguresRow & { readonly kvault: string })[];
  readonly paginationToken: string | null;
};

/** Symbols of tokens, by mint. */
export async function tokenSymbols(reading: ApiReading): Promise<ReadonlyMap<string, string>> {
  const tokens = await listTokenRows(reading);
  return new Map(tokens.map(({ mint, symbol }) => [mint, symbol]));
}

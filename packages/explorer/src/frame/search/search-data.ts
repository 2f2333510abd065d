import type { ResponseOf } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import { API_ROOT, request } from '../../api/server.ts';
import { parseVisible } from '../../format/visible-text.ts';
import type { AddressIdentity } from './address-results.ts';
import { type DocsIndex, type PreparedDocs, prepareDocs } from './docs-results.ts';
import type { Names } from './named-results.ts';

export type SearchData = {
  /** Undefined if the lists cannot be read. */
  readonly names: Names | undefined;
  /** Undefined if the index of the documentation cannot be read. */
  readonly docs: PreparedDocs | undefined;
};

const MAX_AGE_MS = 60_000;

let latest: { readonly data: Promise<SearchData>; readonly at: number } | undefined;

/** Reads everything that is searched in, at most once a minute; what failed is read again by the next call. */
export async function readSearchData(): Promise<SearchData> {
  if (latest === undefined || Date.now() - latest.at > MAX_AGE_MS) {
    latest = { data: readAll(), at: Date.now() };
  }
  const data = await latest.data;
  if (data.names === undefined || data.docs === undefined) latest = undefined;
  return data;
}

async function readAll(): Promise<SearchData> {
  const [names, docs] = await Promise.all([readNames(), readDocs()]);
  return { names, docs };
}

/** What an address is; undefined if the server cannot be asked. */
export async function readIdentity(pubkey: string): Promise<AddressIdentity | undefined> {
  const parameters = { path: { pubkey } };
  const identity = await request({ operation: 'GET /addresses/{pubkey}', parameters });
  return identity.ok ? identity.data : undefined;
}

/** It changes with a release only. */
let readBefore: PreparedDocs | undefined;

async function readDocs(): Promise<PreparedDocs | undefined> {
  try {
    readBefore ??= await fetchDocs();
  } catch {
    // the list of results says that it cannot be read
  }
  return readBefore;
}

async function fetchDocs(): Promise<PreparedDocs> {
  const response = await fetch(new URL('docs/search.json', API_ROOT));
  return prepareDocs(parseVisible(await response.text()) as DocsIndex);
}

async function readNames(): Promise<Names | undefined> {
  const [markets, vaults, status] = await Promise.all([
    readMarkets(),
    request({ operation: 'GET /kvaults/vaults', parameters: {} }),
    request({ operation: 'GET /status', parameters: {} }),
  ]);
  if (markets === undefined || !vaults.ok) return undefined;
  return { markets, vaults: vaults.data, demo: status.ok ? status.data.demo : undefined };
}

async function readMarkets(): Promise<readonly ListedMarket[] | undefined> {
  const markets = await request({ operation: 'GET /v2/svc-market', parameters: {} });
  if (!markets.ok) return undefined;
  return Promise.all(markets.data.map(readMarket));
}

type Market = ResponseOf<'GET /v2/svc-market'>[number];

async function readMarket(market: Market): Promise<ListedMarket> {
  const reserves = await request({
    operation: 'GET /svc-market/{pubkey}/reserves/metrics',
    parameters: { path: { pubkey: market.lendingMarket } },
  });
  const list = reserves.ok ? reserves.data.map((reserve) => ({ ...reserve, market })) : undefined;
  return { ...market, reserves: list };
}

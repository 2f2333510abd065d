import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { reservesOfObligation } from '#core/views/lending/obligation-positions.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readObligationSnapshots } from '#server/history/queries/obligation-snapshots.ts';
import { type HistoryResponse, startBaselineServer, startSeriesReader } from './baseline-server.ts';
import { type HistoryServer, startHistoryServer } from './history-server.ts';
import { assertSameResponses, type TimingClient, timeInterleaved } from './interleaved-timing.ts';
import type { Population } from './population.ts';
import { type ReportRow, readRow } from './report-rows.ts';

type Sides = {
  readonly usual: History;
  readonly crowded: History;
  readonly population: Population;
  readonly client: TimingClient;
};

type ReadPlan = { readonly days: number; readonly times: number; readonly rounds: number };

const FASTER = { least: 3 };
const NEAR = { most: 2 };
const SAME = { most: 1.1 };
const SELECT = 'SELECT and JSON';
const SERIES = 'its rows alone';
/** More rounds for short reads. */
const MORE = 5;

type Paths = Readonly<Record<'reserve' | 'vaultDays' | 'loan' | 'vault' | 'earn' | 'pnl', string>>;

const CROWDED = [
  ['loan', 'daily loan history'],
  ['vault', 'vault position history, 1,000 trades'],
  ['earn', 'history of all vaults of a wallet'],
  ['pnl', 'PnL of 1,000 trades'],
] as const;

function pathsOf({ facts, state, loan, trader, holder }: Population): Paths {
  const { market, vault, deposit } = facts.demo;
  const loanMarket = state.obligation(loan)?.fields.lendingMarket;
  return {
    reserve: `/svc-market/${market}/reserves/${deposit.reserve}/metrics/history?frequency=hour`,
    vaultDays: `/kvaults/vaults/${vault}/metrics/history`,
    loan: `/v2/svc-market/${loanMarket}/obligations/${loan}/metrics/history`,
    vault: `/kvaults/users/${trader}/vaults/${vault}/metrics/history`,
    earn: `/kvaults/users/${holder}/metrics/history`,
    pnl: `/kvaults/users/${trader}/vaults/${vault}/pnl`,
  };
}

export async function measureReads(sides: Sides, plan: ReadPlan): Promise<ReportRow[]> {
  const { usual, crowded, population } = sides;
  const paths = pathsOf(population);
  const apiOf = (history: History) => startHistoryServer({ ...population, history });
  const [api, crowdedApi] = [await apiOf(usual), await apiOf(crowded)];
  try {
    return [
      ...(await measureReserve(sides, { ...plan, api, path: paths.reserve })),
      ...(await measureCached(sides, {
        ...plan,
        api,
        path: paths.vaultDays,
        what: 'a vault by day',
      })),
      ...(await measureCached(sides, {
        ...plan,
        api,
        path: paths.vault,
        what: 'a vault position, 1,000 trades',
        bound: { mostMs: 50 },
        cost: 'user vault history, 1,000 trades, later',
      })),
      ...(await measureLoan(sides, { ...plan, api, path: paths.loan })),
      ...(await measureUserReads(sides, { ...plan, apis: [api, crowdedApi], paths })),
    ];
  } finally {
    await api.close();
    await crowdedApi.close();
  }
}

type SeriesRead = ReadPlan & { readonly api: HistoryServer; readonly path: string };

/** Cached, computed again, and read row by row as the baseline does. */
async function measureReserve({ usual, client }: Sides, read: SeriesRead): Promise<ReportRow[]> {
  const { api, path, days, rounds } = read;
  const url = `${api.url}${path}`;
  const response = await fetchHistory(url);
  const peer = await startBaselineServer(usual, 'peer_reserve_hour', {
    response,
    under: 'metrics',
  });
  await assertSameResponses([url, peer.url]);
  const contenders = [
    { name: 'cached', url },
    { name: 'computed', url, before: api.clearCache },
    { name: SELECT, url: peer.url },
  ];
  const times = await timeInterleaved(client, contenders, rounds);
  await peer.close();
  const what = `a reserve, ${response.history.length} hours of ${days} days`;
  return [
    readRow({ what: `${what}, cached`, times, one: 'cached', other: SELECT, bound: FASTER }),
    readRow({ what: `${what}, computed`, times, one: 'computed', other: SELECT }),
  ];
}

type CachedRead = SeriesRead & {
  readonly what: string;
  readonly bound?: { readonly mostMs: number };
  readonly cost?: string;
};

/** Later requests compared with the first one. */
async function measureCached(
  { client }: Sides,
  { api, path, what, days, rounds, bound, cost }: CachedRead,
): Promise<ReportRow[]> {
  const url = `${api.url}${path}`;
  const contenders = [
    { name: 'cached', url },
    { name: 'computed', url, before: api.clearCache },
  ];
  const times = await timeInterleaved(client, contenders, rounds);
  const row = { what: `${what}, ${days} days`, times, one: 'cached', other: 'computed' };
  return [readRow({ ...row, ...(bound && { bound }), ...(cost && { cost }) })];
}

/** The same, and computed again compared with reading its rows. */
async function measureLoan(sides: Sides, read: SeriesRead): Promise<ReportRow[]> {
  const { usual, client, population } = sides;
  const { api, path, rounds } = read;
  const url = `${api.url}${path}`;
  const response = await fetchHistory(url);
  const peer = await startBaselineServer(usual, 'peer_loan_day', { response });
  await assertSameResponses([url, peer.url]);
  const reserves = await reservesOfLoan(usual, population.loan);
  const series = await startSeriesReader(usual, reserves);
  const contenders = [
    { name: 'cached', url },
    { name: SELECT, url: peer.url },
    { name: 'computed', url, before: api.clearCache },
    { name: SERIES, url: series.url },
  ];
  const times = await timeInterleaved(client, contenders, rounds * MORE);
  await peer.close();
  await series.close();
  const what = `a loan, ${response.history.length} days, ${reserves.size} reserves`;
  return [
    readRow({ what: `${what}, cached`, times, one: 'cached', other: SELECT, bound: NEAR }),
    readRow({
      what: `${what}, computed`,
      times,
      one: 'computed',
      other: SERIES,
      bound: NEAR,
      cost: 'a loan by day, first, against its rows',
    }),
  ];
}

async function reservesOfLoan({ db }: History, loan: Address): Promise<ReadonlySet<Address>> {
  const states = await readObligationSnapshots(
    createHistoryReader(db),
    loan,
    toUnixSeconds(2n ** 40n),
  );
  return new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : [])));
}

type UserReads = ReadPlan & {
  readonly apis: readonly [few: HistoryServer, many: HistoryServer];
  readonly paths: Paths;
};

/** Queries of one wallet with few and with many users; nothing is cached. */
async function measureUserReads({ client }: Sides, read: UserReads): Promise<ReportRow[]> {
  const { apis, paths, times: factor, rounds } = read;
  const [few, many] = apis;
  const figures: ReportRow[] = [];
  for (const [name, what] of CROWDED) {
    const contenders = [
      { name: 'few', url: `${few.url}${paths[name]}`, before: few.clearCache },
      { name: 'many', url: `${many.url}${paths[name]}`, before: many.clearCache },
    ];
    await assertSameResponses(contenders.map(({ url }) => url));
    const times = await timeInterleaved(client, contenders, rounds * MORE);
    const row = {
      what: `${what}, ${factor} times as many users`,
      times,
      one: 'many',
      other: 'few',
    };
    figures.push(readRow({ ...row, bound: SAME }));
  }
  return figures;
}

const fetchHistory = async (url: string): Promise<HistoryResponse> =>
  (await (await fetch(url)).json()) as HistoryResponse;

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
/** So many times the rounds, where one takes little time. */
const MORE = 5;

type Paths = Readonly<Record<'reserve' | 'loan' | 'vault' | 'earn' | 'pnl', string>>;

const CROWDED = [
  ['loan', 'a loan by the day'],
  ['vault', 'shares of a vault, 1,000 trades'],
  ['earn', 'all vaults of a wallet'],
  ['pnl', 'profit of 1,000 trades'],
] as const;

function pathsOf({ facts, state, loan, trader, holder }: Population): Paths {
  const { market, vault, deposit } = facts.demo;
  const loanMarket = state.obligation(loan)?.fields.lendingMarket;
  return {
    reserve: `/svc-market/${market}/reserves/${deposit.reserve}/metrics/history?frequency=hour`,
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
      ...(await measureLoan(sides, { ...plan, api, path: paths.loan })),
      ...(await measureCrowd(sides, { ...plan, apis: [api, crowdedApi], paths })),
    ];
  } finally {
    await api.close();
    await crowdedApi.close();
  }
}

type Asked = ReadPlan & { readonly api: HistoryServer; readonly path: string };

/** Kept as JSON, made again, and by the one who reads rows for each request. */
async function measureReserve({ usual, client }: Sides, asked: Asked): Promise<ReportRow[]> {
  const { api, path, days, rounds } = asked;
  const url = `${api.url}${path}`;
  const response = await answerOf(url);
  const peer = await startBaselineServer(usual, 'peer_reserve_hour', {
    response,
    under: 'metrics',
  });
  await assertSameResponses([url, peer.url]);
  const contenders = [
    { name: 'kept', url },
    { name: 'made again', url, before: api.forget },
    { name: SELECT, url: peer.url },
  ];
  const times = await timeInterleaved(client, contenders, rounds);
  await peer.close();
  const what = `a reserve, ${response.history.length} hours of ${days} days`;
  return [
    readRow({ what: `${what}, kept`, times, one: 'kept', other: SELECT, bound: FASTER }),
    readRow({ what: `${what}, made again`, times, one: 'made again', other: SELECT }),
  ];
}

/** The same, and made again beside the rows that it is made from. */
async function measureLoan(sides: Sides, asked: Asked): Promise<ReportRow[]> {
  const { usual, client, population } = sides;
  const { api, path, rounds } = asked;
  const url = `${api.url}${path}`;
  const response = await answerOf(url);
  const peer = await startBaselineServer(usual, 'peer_loan_day', { response });
  await assertSameResponses([url, peer.url]);
  const reserves = await reservesEver(usual, population.loan);
  const series = await startSeriesReader(usual, reserves);
  const contenders = [
    { name: 'kept', url },
    { name: SELECT, url: peer.url },
    { name: 'made again', url, before: api.forget },
    { name: SERIES, url: series.url },
  ];
  const times = await timeInterleaved(client, contenders, rounds * MORE);
  await peer.close();
  await series.close();
  const what = `a loan, ${response.history.length} days, ${reserves.size} reserves`;
  return [
    readRow({ what: `${what}, kept`, times, one: 'kept', other: SELECT, bound: NEAR }),
    readRow({ what: `${what}, made again`, times, one: 'made again', other: SERIES, bound: NEAR }),
  ];
}

async function reservesEver({ db }: History, loan: Address): Promise<ReadonlySet<Address>> {
  const states = await readObligationSnapshots(
    createHistoryReader(db),
    loan,
    toUnixSeconds(2n ** 40n),
  );
  return new Set(states.flatMap(({ fields }) => (fields ? [...reservesOfObligation(fields)] : [])));
}

type AskedCrowd = ReadPlan & {
  readonly apis: readonly [few: HistoryServer, many: HistoryServer];
  readonly paths: Paths;
};

/** What is asked of one wallet, where there are few and where there are many; each time read from the database. */
async function measureCrowd({ client }: Sides, asked: AskedCrowd): Promise<ReportRow[]> {
  const { apis, paths, times: crowd, rounds } = asked;
  const [few, many] = apis;
  const figures: ReportRow[] = [];
  for (const [name, what] of CROWDED) {
    const contenders = [
      { name: 'few', url: `${few.url}${paths[name]}`, before: few.forget },
      { name: 'many', url: `${many.url}${paths[name]}`, before: many.forget },
    ];
    await assertSameResponses(contenders.map(({ url }) => url));
    const times = await timeInterleaved(client, contenders, rounds * MORE);
    const row = { what: `${what}, ${crowd} times the people`, times, one: 'many', other: 'few' };
    figures.push(readRow({ ...row, bound: SAME }));
  }
  return figures;
}

const answerOf = async (url: string): Promise<HistoryResponse> =>
  (await (await fetch(url)).json()) as HistoryResponse;

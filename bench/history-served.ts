import type { History } from '../src/history/open.ts';
import { type HistoryApi, startHistoryApi } from './history-api.ts';
import { type Figure, readRow } from './history-figures.ts';
import { startPeer, type Told } from './history-peer.ts';
import type { Population } from './history-population.ts';
import { type Client, refuseOtherAnswers, timeInTurns } from './history-reads.ts';

type Sides = {
  readonly usual: History;
  readonly crowded: History;
  readonly population: Population;
  readonly client: Client;
};

type ReadPlan = { readonly days: number; readonly times: number; readonly rounds: number };

const FASTER = { least: 3 };
const NEAR = { most: 2 };
const SAME = { most: 1.1 };
const SELECT = 'SELECT and JSON';
/** In a round, where one takes little time. */
const ASKS = 5;

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

export async function measureReads(sides: Sides, plan: ReadPlan): Promise<Figure[]> {
  const { usual, crowded, population } = sides;
  const paths = pathsOf(population);
  const apiOf = (history: History) => startHistoryApi({ ...population, history });
  const [api, crowdedApi] = [await apiOf(usual), await apiOf(crowded)];
  try {
    return [
      ...(await measureReserve(sides, { ...plan, api, path: paths.reserve })),
      ...(await measureLoan(sides, { ...plan, api, path: paths.loan })),
      ...(await measureCrowd(sides, { ...plan, urls: [api.url, crowdedApi.url], paths })),
    ];
  } finally {
    await api.close();
    await crowdedApi.close();
  }
}

type Asked = ReadPlan & { readonly api: HistoryApi; readonly path: string };

/** Kept as JSON, made again, and by the one who reads rows for each request. */
async function measureReserve({ usual, client }: Sides, asked: Asked): Promise<Figure[]> {
  const { api, path, days, rounds } = asked;
  const url = `${api.url}${path}`;
  const told = await answerOf(url);
  const peer = await startPeer(usual, 'peer_reserve_hour', { told, under: 'metrics' });
  await refuseOtherAnswers([url, peer.url]);
  const contenders = [
    { name: 'kept', url },
    { name: 'made again', url, before: api.forget },
    { name: SELECT, url: peer.url },
  ];
  const times = await timeInTurns(client, contenders, { rounds, asks: 1 });
  await peer.close();
  const what = `a reserve, ${told.history.length} hours of ${days} days`;
  return [
    readRow({ what: `${what}, kept`, times, one: 'kept', other: SELECT, bound: FASTER }),
    readRow({ what: `${what}, made again`, times, one: 'made again', other: SELECT }),
  ];
}

async function measureLoan({ usual, client }: Sides, asked: Asked): Promise<Figure[]> {
  const { api, path, rounds } = asked;
  const url = `${api.url}${path}`;
  const told = await answerOf(url);
  const peer = await startPeer(usual, 'peer_loan_day', { told });
  await refuseOtherAnswers([url, peer.url]);
  const contenders = [
    { name: 'ours', url },
    { name: SELECT, url: peer.url },
  ];
  const times = await timeInTurns(client, contenders, { rounds, asks: ASKS });
  await peer.close();
  const what = `a loan, ${told.history.length} days`;
  return [readRow({ what, times, one: 'ours', other: SELECT, bound: NEAR })];
}

type AskedCrowd = ReadPlan & { readonly urls: readonly [string, string]; readonly paths: Paths };

/** What is asked of one wallet, where there are few and where there are many. */
async function measureCrowd({ client }: Sides, asked: AskedCrowd): Promise<Figure[]> {
  const { urls, paths, times: crowd, rounds } = asked;
  const figures: Figure[] = [];
  for (const [name, what] of CROWDED) {
    const [few, many] = urls.map((url) => `${url}${paths[name]}`) as [string, string];
    await refuseOtherAnswers([few, many]);
    const contenders = [
      { name: 'few', url: few },
      { name: 'many', url: many },
    ];
    const times = await timeInTurns(client, contenders, { rounds, asks: ASKS });
    const row = { what: `${what}, ${crowd} times the people`, times, one: 'many', other: 'few' };
    figures.push(readRow({ ...row, bound: SAME }));
  }
  return figures;
}

const answerOf = async (url: string): Promise<Told> => (await (await fetch(url)).json()) as Told;

/** Paths of the mixed load. */
export type MixedPaths = {
  /** Current figures and lists, as applications poll them. */
  readonly hot: readonly string[];
  /** A year of history each. */
  readonly heavy: readonly string[];
};

const MAX_SUBJECTS = 6;

type Row = Readonly<Record<string, string>>;

/** Lists the subjects of a server with the embedded cluster, and the paths about them. */
export async function listMixedPaths(url: string, days: number): Promise<MixedPaths> {
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  const list = async (path: string) => (await get(path)) as readonly Row[];
  const { wallet, market, obligation } = ((await get('/status')) as { demo: Row }).demo;
  const reserves = pick(await list(`/svc-market/${market}/reserves/metrics`), 'reserve');
  const vaults = pick(await list('/kvaults/vaults'), 'address');
  const held = pick(await list(`/kvaults/users/${wallet}/positions`), 'vaultAddress');
  const range = `start=${new Date(Date.now() - days * 86_400_000).toISOString()}`;
  const heavy = interleave([
    vaults.map((vault) => `/kvaults/vaults/${vault}/metrics/history?${range}`),
    reserves.map((each) => {
      return `/svc-market/${market}/reserves/${each}/metrics/history?frequency=hour&${range}`;
    }),
    held.map((vault) => `/kvaults/users/${wallet}/vaults/${vault}/metrics/history?${range}`),
    [`/v2/svc-market/${market}/obligations/${obligation}/metrics/history?${range}`],
  ]);
  const hot = [
    `/svc-market/${market}/reserves/metrics`,
    ...vaults.map((vault) => `/kvaults/vaults/${vault}/metrics`),
    '/v2/svc-market',
    '/tokens-api/tokens',
    '/kvaults/vaults',
    '/oracles/prices',
    `/klend/loans/${obligation}`,
    `/kvaults/users/${wallet}/positions`,
  ];
  return { hot, heavy };
}

const pick = (rows: readonly Row[], field: string): string[] =>
  rows.slice(0, MAX_SUBJECTS).flatMap((row) => row[field] ?? []);

/** One of each list in turn, for as long as the longest list; shorter lists repeat. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => list[i % list.length] ?? []),
  ).flat();
}

import type { ListedMarket } from '../api/directory.ts';
import type { Status, Vault } from '../api/generated/operations.ts';
import { isAddress, isSignature } from '../format/address.ts';
import { pathOf } from '../routing/match-path.ts';

export type SearchResult = {
  readonly title: string;
  /** What it is, and where. */
  readonly note: string;
  readonly path: string;
};

type Searched = {
  readonly markets: readonly ListedMarket[];
  readonly vaults: readonly Vault[];
  /** Addresses to try; undefined if the server has no embedded cluster. */
  readonly demo?: Pick<NonNullable<Status['demo']>, 'wallet' | 'obligation' | 'vault'> | undefined;
};

const MAX_RESULTS = 8;

/** Markets, reserves and vaults by name, symbol or address; other addresses and signatures as they are. */
export function findResults(text: string, { markets, vaults, demo }: Searched): SearchResult[] {
  const words = text.trim().toLowerCase();
  if (words === '') return [];
  const candidates = [
    ...markets.map((market) => ({
      names: [market.name, market.lendingMarket],
      title: market.name,
      note: 'Market',
      ...target('market', market.lendingMarket),
    })),
    ...markets
      .flatMap(({ reserves = [] }) => reserves)
      .map((reserve) => ({
        names: [reserve.liquidityToken, reserve.reserve, reserve.liquidityTokenMint],
        title: reserve.liquidityToken,
        note: `Reserve in ${reserve.market.name}`,
        ...target('reserve', reserve.reserve),
      })),
    ...vaults.map(({ address, state }) => ({
      names: [state.name, address, state.sharesMint],
      title: state.name,
      note: 'Vault',
      ...target('vault', address),
    })),
  ];
  const found = [...candidates, ...demoCandidates(demo)]
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate.names, words) }))
    .filter(({ rank, path }) => rank !== undefined && path !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return distinct(found.length > 0 ? found : unlisted(text.trim())).slice(0, MAX_RESULTS);
}

type Candidate = Omit<SearchResult, 'path'> & { readonly path: string | undefined };

/** Each page once, by its first candidate. */
function distinct(candidates: readonly Candidate[]): SearchResult[] {
  const results = new Map<string, SearchResult>();
  for (const { title, note, path } of candidates) {
    if (path !== undefined && !results.has(path)) results.set(path, { title, note, path });
  }
  return [...results.values()];
}

const demoCandidates = (demo: Searched['demo']) =>
  demo === undefined
    ? []
    : [
        { title: 'Demo wallet', note: 'Wallet', ...target('wallet', demo.wallet) },
        { title: 'Demo loan', note: 'Loan', ...target('loan', demo.obligation) },
        { title: 'Demo vault', note: 'Vault', ...target('vault', demo.vault) },
      ].map((candidate) => ({ ...candidate, names: [candidate.title] }));

const target = (page: string, address: string): { readonly path: string | undefined } => ({
  path: pathOf(page, { [page]: address }),
});

/** Lower is better: equal, begins with the text, contains it. Addresses must be equal. */
function rankOf(names: readonly string[], text: string): number | undefined {
  const ranks = names.flatMap((name) => {
    const lower = name.toLowerCase();
    if (lower === text) return [0];
    if (isAddress(name)) return [];
    if (lower.startsWith(text)) return [1];
    return lower.includes(text) ? [2] : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** What a text can mean that no list has. */
function unlisted(text: string) {
  if (isAddress(text)) {
    return [
      { title: text, note: 'Wallet', ...target('wallet', text) },
      { title: text, note: 'Loan', ...target('loan', text) },
      { title: text, note: 'Market', ...target('market', text) },
    ];
  }
  if (!isSignature(text)) return [];
  const page = pathOf('decode');
  return [{ title: text, note: 'Transaction', path: page && `${page}?signature=${text}` }];
}

import type { Status, Vault } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import { isAddress, isSignature } from '../../format/address.ts';
import { pathOf } from '../../routing/match-path.ts';

/** A page of the explorer. */
export type NamedResult = {
  /** What it is. */
  readonly kind: string;
  readonly title: string;
  /** Where it is. */
  readonly note: string;
  readonly path: string;
};

export type Names = {
  readonly markets: readonly ListedMarket[];
  readonly vaults: readonly Vault[];
  /** Addresses to try; undefined if the server has no embedded cluster. */
  readonly demo?: Pick<NonNullable<Status['demo']>, 'wallet' | 'obligation' | 'vault'> | undefined;
};

const MAX_RESULTS = 8;

/** Markets, reserves and vaults by name, symbol or address; other addresses and signatures as they are. */
export function findNamed(text: string, { markets, vaults, demo }: Names): NamedResult[] {
  const words = text.trim().toLowerCase();
  if (words === '') return [];
  const candidates = [
    ...markets.map((market) => ({
      names: [market.name, market.lendingMarket],
      kind: 'Market',
      title: market.name,
      note: '',
      ...target('market', market.lendingMarket),
    })),
    ...markets
      .flatMap(({ reserves = [] }) => reserves)
      .map((reserve) => ({
        names: [reserve.liquidityToken, reserve.reserve, reserve.liquidityTokenMint],
        kind: 'Reserve',
        title: reserve.liquidityToken,
        note: reserve.market.name,
        ...target('reserve', reserve.reserve),
      })),
    ...vaults.map(({ address, state }) => ({
      names: [state.name, address, state.sharesMint],
      kind: 'Vault',
      title: state.name,
      note: '',
      ...target('vault', address),
    })),
  ];
  const found = [...candidates, ...demoCandidates(demo)]
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate.names, words) }))
    .filter(({ rank, path }) => rank !== undefined && path !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return distinct(found.length > 0 ? found : unlisted(text.trim())).slice(0, MAX_RESULTS);
}

type Candidate = Omit<NamedResult, 'path'> & { readonly path: string | undefined };

/** Each page once, by its first candidate. */
function distinct(candidates: readonly Candidate[]): NamedResult[] {
  const results = new Map<string, NamedResult>();
  for (const { kind, title, note, path } of candidates) {
    if (path !== undefined && !results.has(path)) results.set(path, { kind, title, note, path });
  }
  return [...results.values()];
}

const demoCandidates = (demo: Names['demo']) =>
  demo === undefined
    ? []
    : [
        { kind: 'Wallet', title: 'Demo wallet', note: '', ...target('wallet', demo.wallet) },
        { kind: 'Loan', title: 'Demo loan', note: '', ...target('loan', demo.obligation) },
        { kind: 'Vault', title: 'Demo vault', note: '', ...target('vault', demo.vault) },
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
      { kind: 'Wallet', title: text, note: '', ...target('wallet', text) },
      { kind: 'Loan', title: text, note: '', ...target('loan', text) },
      { kind: 'Market', title: text, note: '', ...target('market', text) },
    ];
  }
  if (!isSignature(text)) return [];
  const page = pathOf('decode');
  return [
    { kind: 'Transaction', title: text, note: '', path: page && `${page}?signature=${text}` },
  ];
}

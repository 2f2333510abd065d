import type { Status, Vault } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import { isAddress, isSignature } from '../../format/address.ts';
import { pathOf } from '../../routing/match-path.ts';
import { countTypos } from './spelling.ts';

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

const MISSPELLED = 3;

type NamedResults = {
  readonly exact: readonly NamedResult[];
  /** Only if nothing is exact. */
  readonly misspelled: readonly NamedResult[];
};

/** Markets, reserves and vaults by name, symbol or address, and the page of a signature. */
export function findNamed(text: string, { markets, vaults, demo }: Names): NamedResults {
  const words = text.trim().toLowerCase();
  if (words === '') return { exact: [], misspelled: [] };
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
    .flatMap((candidate) => {
      const rank = rankOf(candidate.names, words);
      return rank === undefined ? [] : [{ ...candidate, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  const spelled = found.filter(({ rank }) => rank < MISSPELLED);
  const exact = distinct(spelled.length > 0 ? spelled : transaction(text.trim()));
  const misspelled = exact.length > 0 ? [] : distinct(found);
  return { exact: exact.slice(0, MAX_RESULTS), misspelled: misspelled.slice(0, MAX_RESULTS) };
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

/** Lower is better: equal, begins with the text, contains it, means it with typing errors. Addresses must be equal. */
function rankOf(names: readonly string[], text: string): number | undefined {
  const ranks = names.flatMap((name) => {
    const lower = name.toLowerCase();
    if (lower === text) return [0];
    if (isAddress(name)) return [];
    if (lower.startsWith(text)) return [1];
    if (lower.includes(text)) return [2];
    return isMisspelled(text, lower) ? [MISSPELLED] : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** Whether every word of a text is one of a name, with typing errors. */
function isMisspelled(text: string, name: string): boolean {
  const words = name.split(' ');
  return text.split(/\s+/).every((typed) => {
    return words.some((word) => word.startsWith(typed) || countTypos(typed, word) !== undefined);
  });
}

/** The page of a signature. */
function transaction(signature: string): Candidate[] {
  if (!isSignature(signature)) return [];
  const path = pathOf('transaction', { signature });
  return [{ kind: 'Transaction', title: signature, note: '', path }];
}

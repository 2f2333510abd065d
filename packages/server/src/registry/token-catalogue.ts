import type { Address } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';

export type TokenQuery = {
  readonly limit: number;
  readonly verified?: boolean | undefined;
  readonly mint?: Address | undefined;
  readonly symbol?: string | undefined;
};

/** An immutable list, ordered and indexed once, so that a query costs what it returns. */
export type TokenCatalogue = {
  readonly size: number;
  readonly find: (query: TokenQuery) => readonly Token[];
};

/** What the rest of the program sees of the catalogue, wherever it comes from. */
export type TokenCatalogueSource = {
  /** Undefined until a first list is loaded. */
  readonly catalogue: () => TokenCatalogue | undefined;
  /** Grows whenever the content changes. */
  readonly version: () => number;
  readonly status: () => TokenListStatus;
};

export type TokenListStatus = {
  readonly source: string;
  readonly count: number;
  /** Records of the source that were left out because they are malformed. */
  readonly rejected: number;
  /** When the source last confirmed this list, epoch ms; null for the embedded list and before the first one. */
  readonly confirmedAt: number | null;
  /** True while the list served is the copy kept on disk, because the source has not answered since the start. */
  readonly fromCopy: boolean;
  /** Why the last attempt failed; null when it did not. */
  readonly lastError: string | null;
};

export function createTokenCatalogue(tokens: readonly Token[]): TokenCatalogue {
  const ordered = [...tokens].sort(byVolumeThenPriorityThenMint);
  const verified = ordered.filter((token) => token.verified);
  const byMint = groupBy(ordered, (token) => token.mint);
  const bySymbol = groupBy(ordered, (token) => token.symbol.toLowerCase());

  return {
    size: ordered.length,
    find: ({ limit, mint, symbol, verified: onlyVerified = false }) => {
      const wanted = symbol?.toLowerCase();
      if (mint === undefined && wanted === undefined) {
        return (onlyVerified ? verified : ordered).slice(0, limit);
      }
      const candidates = mint === undefined ? bySymbol.get(wanted ?? '') : byMint.get(mint);
      return (candidates ?? [])
        .filter((token) => wanted === undefined || token.symbol.toLowerCase() === wanted)
        .filter((token) => token.verified || !onlyVerified)
        .slice(0, limit);
    },
  };
}

function groupBy<Key>(tokens: readonly Token[], keyOf: (token: Token) => Key): Map<Key, Token[]> {
  const groups = new Map<Key, Token[]>();
  for (const token of tokens) {
    const group = groups.get(keyOf(token));
    if (group === undefined) groups.set(keyOf(token), [token]);
    else group.push(token);
  }
  return groups;
}

/** Volume descending with unknown volumes last, then priority ascending, then mint by character code. */
function byVolumeThenPriorityThenMint(a: Token, b: Token): number {
  const volumeA = a.tradingVolume24H ?? -1;
  const volumeB = b.tradingVolume24H ?? -1;
  if (volumeA !== volumeB) return volumeB - volumeA;
  if (a.priority !== b.priority) return a.priority - b.priority;
  return a.mint < b.mint ? -1 : 1;
}

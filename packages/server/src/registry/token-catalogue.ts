import type { Address } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';

export type TokenQuery = {
  readonly limit: number;
  readonly verified?: boolean | undefined;
  readonly mint?: Address | undefined;
  readonly symbol?: string | undefined;
};

/** An immutable list that is sorted and indexed once, so that the cost of a query depends only on its result. */
export type TokenCatalogue = {
  readonly size: number;
  readonly find: (query: TokenQuery) => readonly Token[];
};

/** Provides the current catalogue. */
export type TokenCatalogueSource = {
  /** Undefined until the first list is loaded. */
  readonly catalogue: () => TokenCatalogue | undefined;
  /** Increases whenever the content changes. */
  readonly version: () => number;
  readonly status: () => TokenListStatus;
};

export type TokenListStatus = {
  readonly source: string;
  readonly count: number;
  /** Malformed entries of the source that were skipped. */
  readonly rejected: number;
  /** Epoch milliseconds at which the source last confirmed the list; null for the embedded list and before the first one. */
  readonly confirmedAt: number | null;
  /** Whether the list is the last good copy from disk, because the source has not responded since the start. */
  readonly fromCopy: boolean;
  /** Null if the last attempt succeeded. */
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
      const lowerSymbol = symbol?.toLowerCase();
      if (mint === undefined && lowerSymbol === undefined) {
        return (onlyVerified ? verified : ordered).slice(0, limit);
      }
      const candidates = mint === undefined ? bySymbol.get(lowerSymbol ?? '') : byMint.get(mint);
      return (candidates ?? [])
        .filter((token) => lowerSymbol === undefined || token.symbol.toLowerCase() === lowerSymbol)
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

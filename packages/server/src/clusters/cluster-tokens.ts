import type { Token } from '@tidegate/core/protocol/spl';
import {
  createTokenCatalogue,
  type TokenCatalogue,
  type TokenCatalogueSource,
  type TokenListStatus,
} from '../registry/token-catalogue.ts';
import { type TokenListing, withoutMarketData } from '../registry/token-listing.ts';
import type { Cluster, Clusters } from './served-clusters.ts';
import { listUsedTokens } from './used-tokens.ts';

/** Parts of the state that tokens are collected from. */
const TOKEN_PARTS = ['market', 'reserve', 'vault'] as const;

const addVersions = (sum: number, { reader }: Cluster): number =>
  TOKEN_PARTS.reduce((total, part) => total + reader.versionOf(part), sum);

type CatalogueEntry = {
  /** The clusters, by number. */
  readonly clusters: string;
  readonly sourceVersion: number;
  readonly clustersVersion: number;
  readonly figuresVersion: number;
  /** Identifies the added tokens. */
  readonly key: string;
  readonly version: number;
  readonly catalogue: TokenCatalogue;
};

const EMBEDDED_STATUS: TokenListStatus = {
  source: 'embedded',
  count: 0,
  rejected: 0,
  confirmedAt: null,
  fromCopy: false,
  lastError: null,
};

/**
 * The token catalogue of the served clusters. It has every token of `source`, or every token of the registries if there is
 * no source, and every token of a reserve or vault. Entries of the source come first, then those of the registries, then
 * those of the chain. Volume and market cap are those that are counted on the primary cluster; where none are counted,
 * those of the source.
 */
export class ClusterTokens implements TokenCatalogueSource {
  readonly #clusters: Clusters;
  readonly #source: TokenCatalogueSource | undefined;
  #entry: CatalogueEntry | undefined;

  constructor(clusters: Clusters, source?: TokenCatalogueSource) {
    this.#clusters = clusters;
    this.#source = source;
  }

  catalogue(): TokenCatalogue | undefined {
    return this.#refresh()?.catalogue;
  }

  version(): number {
    return this.#refresh()?.version ?? 0;
  }

  status(): TokenListStatus {
    return this.#source?.status() ?? { ...EMBEDDED_STATUS, count: this.catalogue()?.size ?? 0 };
  }

  /** Builds the catalogue again only if its content changed. Undefined until source and clusters are open. */
  #refresh(): CatalogueEntry | undefined {
    if (this.#clusters.waitingFor?.() !== undefined) return undefined;
    const list = this.#source?.catalogue();
    if (this.#source !== undefined && list === undefined) return undefined;
    const sourceVersion = this.#source?.version() ?? 0;
    const clustersVersion = this.#clusters.all.reduce(addVersions, 0);
    const figures = this.#clusters.all[0]?.tokenFigures;
    const figuresVersion = figures?.version() ?? 0;
    const clusters = this.#clusters.all.map(clusterNumber).join();
    const last = this.#entry;
    const isSameSource =
      last?.clusters === clusters &&
      last.sourceVersion === sourceVersion &&
      last.figuresVersion === figuresVersion;
    if (last !== undefined && isSameSource && last.clustersVersion === clustersVersion) return last;
    const listed = list?.find({ limit: list.size }) ?? [];
    const added = this.#listAdded(new Set(listed.map(({ mint }) => mint)));
    const key = JSON.stringify(added);
    if (last !== undefined && isSameSource && last.key === key) {
      this.#entry = { ...last, clustersVersion };
    } else {
      const tokens = [...listed, ...added];
      const catalogue = createTokenCatalogue(
        figures ? tokens.map((token) => ({ ...token, ...figures.find(token.mint) })) : tokens,
      );
      const version = (last?.version ?? 0) + 1;
      const versions = { clusters, sourceVersion, clustersVersion, figuresVersion };
      this.#entry = { ...versions, key, version, catalogue };
    }
    return this.#entry;
  }

  #listAdded(listed: ReadonlySet<string>): readonly Token[] {
    const added = new Map<string, TokenListing>();
    for (const cluster of this.#clusters.all) {
      const { tokens } = cluster.registry;
      const used = [...listUsedTokens(cluster)].map(([mint, token]) => tokens.get(mint) ?? token);
      for (const token of this.#source === undefined ? [...tokens.values(), ...used] : used) {
        if (!listed.has(token.mint) && !added.has(token.mint)) added.set(token.mint, token);
      }
    }
    return [...added.values()].map(withoutMarketData);
  }
}

const numbers = new WeakMap<Cluster, number>();
let last = 0;

/** Differs between a cluster and the one that replaces it when it is opened again, whose versions start over. */
function clusterNumber(cluster: Cluster): number {
  const known = numbers.get(cluster);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(cluster, last);
  return last;
}

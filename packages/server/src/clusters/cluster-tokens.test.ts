import { toAddress } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { expect, test } from 'vitest';
import { knownTokenListings } from '../registry/token-listing.ts';
import { ClusterTokens } from './cluster-tokens.ts';
import type { Cluster, Clusters } from './served-clusters.ts';

const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A cluster without accounts. */
const clusterWith = (marketCapUsd: number): Cluster =>
  ({
    reader: new ClusterState({ log }),
    registry: { tokens: knownTokenListings, markets: [], market: ignore },
    tokenFigures: { version: () => 1, find: () => ({ tradingVolume24H: null, marketCapUsd }) },
  }) as unknown as Cluster;

test('the tokens of a cluster that is opened again have its figures, although its versions start over', () => {
  let cluster = clusterWith(1);
  const clusters = {
    get all() {
      return [cluster];
    },
  } as unknown as Clusters;
  const tokens = new ClusterTokens(clusters);
  const marketCap = () => tokens.catalogue()?.find({ mint: USDC, limit: 1 })[0]?.marketCapUsd;
  expect(marketCap()).toBe(1);
  const version = tokens.version();
  expect(tokens.version()).toBe(version);
  cluster = clusterWith(2);
  expect(marketCap()).toBe(2);
  expect(tokens.version()).toBeGreaterThan(version);
});

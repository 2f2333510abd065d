import type { Address, UnixSeconds } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import type { VaultEarningsRow } from '../../../history/queries/vault-series.ts';
import { readFirstTrade } from '../../../history/queries/vault-trades.ts';
import {
  requireSamplesSince,
  requireShareHistory,
  requireWalletShareHistory,
} from '../../../support/history/complete-history.ts';
import type { PointsRequest } from '../../../support/history/define-history.ts';
import type { HistoryRequest } from '../../../support/history/history-request.ts';
import { includesPresent } from '../../../support/history/present-range.ts';
import { presentVaultRow } from '../../../support/history/present-rows.ts';
import { vaultPricingCache } from '../../../support/pricing/vault-pricing-cache.ts';
import {
  endOf,
  readWalletShareHistory,
  type ShareHistoryQuery,
} from '../../../support/shares/share-history.ts';
import { shareHistoryCache } from '../../../support/shares/share-history-cache.ts';
import { openShareSeries } from '../../../support/shares/share-series.ts';
import { userEarnPointJson, userVaultPointJson } from './json.ts';
import type { UserEarnTotalsPoint } from './schema.ts';

type Request<Subject> = HistoryRequest<Subject, 'hour' | 'day'>;

type Shares = { readonly wallet: Address; readonly vault: Address };

/** Throws if trades of the wallet in the vault, or samples since the first one, are missing. */
export async function openUserVaultPoints(request: PointsRequest<Shares, 'hour' | 'day'>) {
  const { cluster, history, subject } = request;
  const query = { ...shareQueryOf(request), ...subject };
  await requireShareHistory(cluster, subject.wallet, subject.vault);
  await requireTradeSamples(history, { ...subject, end: endOf(query) });
  return await openShareSeries(history, {
    ...query,
    itemOf: ([at, point]) => JSON.stringify(userVaultPointJson(at, point)),
  });
}

/** Like `openUserVaultPoints`, for all vaults. */
export async function readUserEarnHistory(request: Request<Address>) {
  const { cluster, history, subject: wallet } = request;
  const query = { ...shareQueryOf(request), wallet };
  await cluster.loadWallet(wallet);
  await requireWalletShareHistory(cluster, history, { wallet });
  await requireTradeSamples(history, { wallet, end: endOf(query) });
  const { points, unknown } = await readWalletShareHistory(history, query);
  return {
    unknown,
    answer: (): Static<typeof UserEarnTotalsPoint>[] =>
      points.map(([at, point]) => userEarnPointJson(at, point)),
  };
}

type TradesQuery = {
  readonly wallet: Address;
  /** Undefined for all vaults. */
  readonly vault?: Address;
  readonly end: UnixSeconds;
};

/** Interest counts from the first purchase, so that samples are needed since then. */
async function requireTradeSamples(
  history: HistoryReader,
  { end, ...subject }: TradesQuery,
): Promise<void> {
  const first = await readFirstTrade(history, { ...subject, to: end });
  if (first === undefined) return;
  const what = `the shares of ${subject.wallet} in the vault ${first.vault}`;
  await requireSamplesSince(history, what, first.at);
}

function shareQueryOf({
  context,
  cluster,
  now,
  range,
  past,
  frequency,
  build,
}: Request<unknown>): Omit<ShareHistoryQuery, 'wallet'> {
  const rows = new Map<Address, VaultEarningsRow | undefined>();
  const rowOf = (vault: Address) => {
    if (!rows.has(vault)) rows.set(vault, findPresentRow(cluster, context, vault));
    return rows.get(vault);
  };
  const present = includesPresent(range, now) ? { at: now, rowOf } : undefined;
  const cache = shareHistoryCache(context);
  return { env: cluster.env, range: past, frequency, present, cache, build };
}

function findPresentRow(
  cluster: Cluster,
  context: Request<unknown>['context'],
  vault: Address,
): VaultEarningsRow | undefined {
  const known = cluster.reader.vault(vault) === undefined ? [] : [{ address: vault }];
  const pricing = vaultPricingCache(context)(cluster);
  const query = { vault, resolution: 'hour' } as const;
  const { items } = collectAvailable(known, () => presentVaultRow(cluster, pricing, query).row);
  return items[0];
}

import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { RateLimits } from '../../http/auth/authenticator.ts';
import type { RateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { defineOperation } from '../../http/operation.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  NullableNumber,
  NullableString,
} from '../../http/schemas/primitives.ts';
import type { TokenListStatus } from '../../registry/token-catalogue.ts';
import { type Feature, oncePerApp } from '../feature-context.ts';
import { listPendingParts } from './pending-parts.ts';
import { StalePrice, stalePricesJson } from './price-status.ts';
import { RegistryStatus, registryStatusJson } from './registry-status.ts';
import { MissingParts, SourceStatus, sourceStatusJson } from './source-status.ts';
import { UnreadableAccountStatus, unreadableAccountsJson } from './unreadable-status.ts';

const ActiveLimit = Type.Object({
  policy: Type.String(),
  quota: Type.Integer(),
  windowSeconds: Type.Integer(),
});

const TokenSourceStatus = Type.Object({
  source: Type.String(),
  count: Type.Integer(),
  rejected: Type.Integer({ description: 'Malformed records that were skipped' }),
  confirmedAt: NullableString,
  ageMs: NullableNumber,
  fromCopy: Type.Boolean(),
  lastError: NullableString,
});

const Endpoint = Type.Object({
  name: Type.String(),
  healthy: Type.Boolean(),
  slot: NullableString,
});

const ServedCluster = Type.Object({
  env: Type.String(),
  commitment: Type.String(),
  slot: NullableString,
  blockTime: NullableString,
  ageMs: Type.Integer({ description: 'Time since the newest slot arrived' }),
  lagSlots: Type.Integer({ description: 'Slots behind the newest slot of any endpoint' }),
  waitingFor: NullableString,
  endpoints: Type.Array(Endpoint),
  source: SourceStatus,
  missing: MissingParts,
  undecodedAccounts: Type.Integer({
    description: 'Accounts in an unknown format, omitted from responses',
  }),
  unreadableAccounts: Type.Array(UnreadableAccountStatus, {
    description: 'The first 20 accounts in an unknown format',
  }),
  stalePrices: Type.Array(StalePrice, {
    description: 'Tokens of listed markets whose price is older than the limit of its reserve',
  }),
  registry: RegistryStatus,
});

const DemoAction = Type.Object(
  { reserve: AddressString, amount: DecimalString },
  { description: 'Example request to a builder, for the loan in `market`' },
);

const DemoAddresses = Type.Object(
  {
    rpcUrl: Type.String(),
    wsUrl: Type.String(),
    keys: Type.String({
      description:
        'Folder on the server with the wallet keys; `wallet-0.json` is the key of `wallet`',
    }),
    wallet: AddressString,
    market: AddressString,
    vault: AddressString,
    obligation: AddressString,
    deposit: DemoAction,
    borrow: DemoAction,
    repay: DemoAction,
    withdraw: DemoAction,
  },
  { description: 'On localnet: an example wallet with loans and vault shares' },
);

const Status = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    startedAt: IsoInstant,
    uptimeSeconds: Type.Integer(),
    ready: Type.Boolean(),
    warnings: Type.Array(Type.String(), { description: 'What the operator should change' }),
    limits: Type.Array(ActiveLimit, { description: 'Empty when rate limiting is off' }),
    tokens: TokenSourceStatus,
    clusters: Type.Array(ServedCluster, { description: 'Primary cluster first' }),
    demo: Type.Optional(DemoAddresses),
  },
  { title: 'Status' },
);

const startTime = oncePerApp(({ clock }) => clock());

export const getStatus: Feature = (context) => async (app) => {
  const { tokens, limits, version, clock, clusters, demo, metrics } = context;
  const startedAt = startTime(context);
  metrics.gauge('tidegate_unreadable_accounts', 'Accounts that cannot be decoded.', () =>
    clusters.all.reduce((sum, { reader }) => sum + reader.unreadable.count, 0),
  );

  app.get(
    '/status',
    defineOperation(
      {
        operationId: 'getStatus',
        tag: 'operations',
        summary: 'Version, data sources and rate limits',
        weight: 1,
        statuses: [500],
      },
      { response: Status },
    ),
    async () => ({
      version,
      node: process.version,
      startedAt: new Date(startedAt).toISOString(),
      uptimeSeconds: Math.floor((clock() - startedAt) / 1000),
      ready: listPendingParts(context).length === 0,
      warnings: [...context.warnings()],
      limits: limits === undefined ? [] : distinctPolicies(limits).map(limitJson),
      tokens: tokenSourceJson(tokens.status(), clock()),
      clusters: clusters.all.map((cluster) => clusterJson(cluster, clock())),
      ...(demo !== undefined && { demo }),
    }),
  );
};

/** Lists the policy of local callers only if it differs from that of other callers. */
function distinctPolicies(limits: RateLimits): readonly RateLimitPolicy[] {
  const { anonymous, loopback, key } = limits;
  return loopback.name === anonymous.name ? [anonymous, key] : [anonymous, loopback, key];
}

function limitJson({ name, quota, windowSeconds }: RateLimitPolicy): Static<typeof ActiveLimit> {
  return { policy: name, quota, windowSeconds };
}

function clusterJson(cluster: Cluster, now: number): Static<typeof ServedCluster> {
  const { slot, waitingFor, endpoints, ...status } = cluster.status();
  const { unix } = cluster.reader.at();
  return {
    env: cluster.env,
    commitment: cluster.commitment,
    slot: slot?.toString() ?? null,
    blockTime: slot === undefined ? null : new Date(Number(unix) * 1000).toISOString(),
    ageMs: Math.max(0, Math.round(now - cluster.updatedAt())),
    lagSlots: status.lagSlots,
    waitingFor: waitingFor ?? null,
    endpoints: endpoints.map((endpoint) => ({
      name: endpoint.name,
      healthy: endpoint.healthy,
      slot: endpoint.slot?.toString() ?? null,
    })),
    source: sourceStatusJson(status.source, now),
    missing: [...status.missing],
    undecodedAccounts: status.undecodedAccounts,
    unreadableAccounts: unreadableAccountsJson(cluster.reader.unreadable),
    stalePrices: stalePricesJson(cluster),
    registry: registryStatusJson(cluster),
  };
}

/** Hides the error of the source; the log has it. */
function tokenSourceJson(status: TokenListStatus, now: number): Static<typeof TokenSourceStatus> {
  const { confirmedAt, lastError, ...rest } = status;
  return {
    ...rest,
    confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    ageMs: confirmedAt === null ? null : now - confirmedAt,
    lastError: lastError === null ? null : 'The last refresh failed.',
  };
}

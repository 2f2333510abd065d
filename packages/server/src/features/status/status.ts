import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { RateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { defineOperation } from '../../http/operation.ts';
import type { ProcessMetrics } from '../../http/process-metrics.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  NullableNumber,
  NullableString,
} from '../../http/schemas/primitives.ts';
import type { TokenListStatus } from '../../registry/token-catalogue.ts';
import type { FeatureContext } from '../feature-context.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' });

const Readiness = Type.Object(
  {
    ready: Type.Boolean(),
    waitingFor: Type.Array(Type.String(), { description: 'Parts that are not up yet' }),
  },
  { title: 'Readiness' },
);

const LimitInForce = Type.Object({
  policy: Type.String(),
  quota: Type.Integer(),
  windowSeconds: Type.Integer(),
});

const TokenSourceStatus = Type.Object({
  source: Type.String(),
  count: Type.Integer(),
  rejected: Type.Integer({ description: 'Malformed records of the source, left out' }),
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
  ageMs: Type.Integer({ description: 'Since the newest slot arrived' }),
  lagSlots: Type.Integer({ description: 'Behind the newest slot that any endpoint has told' }),
  waitingFor: NullableString,
  endpoints: Type.Array(Endpoint),
  undecodedAccounts: Type.Integer({ description: 'Left out of answers: not of a known form' }),
});

const DemoAct = Type.Object(
  { reserve: AddressString, amount: DecimalString },
  { description: 'Of the loan in the market; the builders take it as it is' },
);

const DemoAddresses = Type.Object(
  {
    rpcUrl: Type.String(),
    wsUrl: Type.String(),
    keys: Type.String({
      description:
        'Folder on the server with the keys of the wallets; `wallet-0.json` is that of `wallet`',
    }),
    wallet: AddressString,
    market: AddressString,
    vault: AddressString,
    obligation: AddressString,
    deposit: DemoAct,
    borrow: DemoAct,
    repay: DemoAct,
    withdraw: DemoAct,
  },
  { description: 'On localnet: a wallet with loans and vault shares to try things with' },
);

const Status = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    startedAt: IsoInstant,
    uptimeSeconds: Type.Integer(),
    ready: Type.Boolean(),
    limits: Type.Array(LimitInForce, { description: 'Empty when rate limiting is off' }),
    tokens: TokenSourceStatus,
    clusters: Type.Array(ServedCluster, { description: 'The primary one first' }),
    demo: Type.Optional(DemoAddresses),
  },
  { title: 'Status' },
);

const facts = { tag: 'operations', statuses: [500] } as const;

const getHealth = defineOperation(
  { ...facts, operationId: 'getHealth', summary: 'Whether the process answers', weight: 0 },
  { answer: Health },
);

const getReadiness = defineOperation(
  {
    ...facts,
    operationId: 'getReadiness',
    summary: 'Whether everything is up; 503 while it is not',
    weight: 0,
  },
  { answer: Readiness, otherAnswers: { 503: Readiness } },
);

const getStatus = defineOperation(
  {
    ...facts,
    operationId: 'getStatus',
    summary: 'Versions, sources and the limits in force',
    weight: 1,
  },
  { answer: Status },
);

const getMetrics = defineOperation(
  {
    ...facts,
    operationId: 'getMetrics',
    summary: 'Figures of this process, in the Prometheus text format',
    weight: 0,
    mediaType: 'text/plain',
  },
  { answer: Type.String() },
);

type StatusParts = {
  readonly context: FeatureContext;
  readonly metrics: ProcessMetrics;
  readonly closing: () => boolean;
};

export const statusRoutes =
  ({ context, metrics, closing }: StatusParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { tokens, limits, version, clock } = context;
    const startedAt = clock();
    const waitingFor = (): string[] => [
      ...(tokens.catalogue() === undefined ? ['tokens'] : []),
      ...context.clusters.all.flatMap((cluster) => {
        const missing = cluster.status().waitingFor;
        return missing === undefined ? [] : [`${cluster.env}: ${missing}`];
      }),
      ...(closing() ? ['shutdown'] : []),
    ];

    app.get('/health', getHealth, async () => ({ status: 'ok' as const }));

    app.get('/ready', getReadiness, async (_request, reply) => {
      const missing = waitingFor();
      reply.code(missing.length === 0 ? 200 : 503);
      return { ready: missing.length === 0, waitingFor: missing };
    });

    app.get('/status', getStatus, async () => ({
      version,
      node: process.version,
      startedAt: new Date(startedAt).toISOString(),
      uptimeSeconds: Math.floor((clock() - startedAt) / 1000),
      ready: waitingFor().length === 0,
      limits: limits === undefined ? [] : policiesOf(limits).map(toLimit),
      tokens: toTokens(tokens.status(), clock()),
      clusters: context.clusters.all.map((cluster) => toCluster(cluster, clock())),
      ...(context.demo !== undefined && { demo: context.demo }),
    }));

    app.get('/metrics', getMetrics, async (_request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8');
      return metrics.text();
    });
  };

/** Callers on this machine have the limit of all others when one is set; it is told once. */
function policiesOf(limits: NonNullable<FeatureContext['limits']>): readonly RateLimitPolicy[] {
  const { anonymous, loopback, key } = limits;
  return loopback.name === anonymous.name ? [anonymous, key] : [anonymous, loopback, key];
}

function toLimit({ name, quota, windowSeconds }: RateLimitPolicy): Static<typeof LimitInForce> {
  return { policy: name, quota, windowSeconds };
}

function toCluster(cluster: Cluster, now: number): Static<typeof ServedCluster> {
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
    undecodedAccounts: status.undecodedAccounts,
  };
}

/** That the source fails is for everyone to know; what it said is for the log alone. */
function toTokens(status: TokenListStatus, now: number): Static<typeof TokenSourceStatus> {
  const { confirmedAt, lastError, ...rest } = status;
  return {
    ...rest,
    confirmedAt: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    ageMs: confirmedAt === null ? null : now - confirmedAt,
    lastError: lastError === null ? null : 'The last attempt to refresh it failed.',
  };
}

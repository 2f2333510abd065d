import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { RateLimits } from '../../http/auth/authenticator.ts';
import type { RateLimitPolicy } from '../../http/limits/rate-limit.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  NullableNumber,
  NullableString,
} from '../../http/schemas/primitives.ts';
import type { TokenListStatus } from '../../registry/token-catalogue.ts';
import { type OperationContext, type OperationPlugin, oncePerApp } from '../operation-context.ts';
import { CheckStatus, checkStatusJson } from './check-status.ts';
import { DriftStatusJson, driftStatusJson } from './drift-status.ts';
import { EndpointStatusJson, endpointJson } from './endpoint-status.ts';
import { HistoryStatus, historyGauge, historyStatusJson } from './history-status.ts';
import { listPendingParts } from './pending-parts.ts';
import { PositionGapStatus, positionGapStatusJson } from './position-gap-status.ts';
import { createStalePriceList, StalePrice } from './price-status.ts';
import { ProgramStatusJson, programStatusJson } from './program-status.ts';
import { ProofStatus, proofStatusJson } from './proof-status.ts';
import { RegistryStatus, registryStatusJson } from './registry-status.ts';
import {
  MissingParts,
  RefusedScans,
  refusedScansJson,
  SourceAlarmList,
  SourceStatus,
  sourceAlarmsJson,
  sourceStatusJson,
} from './source-status.ts';
import { UnprovenKindStatus, unprovenKindsJson } from './unproven-status.ts';
import { UnreadableAccountStatus, unreadableAccountsJson } from './unreadable-status.ts';

const ActiveLimit = Type.Object({
  policy: Type.String({ description: 'Name of the policy' }),
  quota: Type.Integer({ description: 'Units per window' }),
  windowSeconds: Type.Integer({ description: 'Length of the window in seconds' }),
});

const TokenSourceStatus = Type.Object({
  source: Type.String({ description: 'Where the token list comes from' }),
  count: Type.Integer({ description: 'Tokens in the list' }),
  rejected: Type.Integer({ description: 'Malformed records that were skipped' }),
  confirmedAt: describe(NullableString, 'When the source was last read, UTC; null if never'),
  ageMs: describe(NullableNumber, 'Time since then in milliseconds; null if never'),
  fromCopy: Type.Boolean({ description: 'Whether the list is the last good copy on disk' }),
  lastError: describe(NullableString, 'Last error of the source; null if there was none'),
});

const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

const ServedCluster = Type.Object({
  env: Type.String({ description: 'Name of the cluster' }),
  commitment: Type.String({ description: 'Commitment of the data' }),
  slot: describe(NullableString, 'Slot of the state; null while it loads'),
  blockTime: describe(NullableString, 'Block time of the slot, UTC; null while it loads'),
  ageMs: describe(
    NullableInteger,
    'Time since the newest slot arrived; null while the state loads',
  ),
  lagSlots: describe(
    NullableInteger,
    'Slots behind the newest slot of any endpoint; null while the state loads',
  ),
  waitingFor: describe(NullableString, 'What the cluster is not ready for; null if it is ready'),
  endpoints: describe(Type.Array(EndpointStatusJson), 'RPC endpoints of the cluster'),
  source: SourceStatus,
  alarms: SourceAlarmList,
  history: HistoryStatus,
  missing: MissingParts,
  scans: RefusedScans,
  checks: CheckStatus,
  undecodedAccounts: Type.Integer({
    description: 'Accounts in an unknown format, omitted from responses',
  }),
  unreadableAccounts: Type.Array(UnreadableAccountStatus, {
    description: 'The first 20 accounts in an unknown format',
  }),
  unproven: Type.Array(UnprovenKindStatus, {
    description:
      'Kinds of accounts whose figures may differ from those of the programs; their responses have the header x-unproven',
  }),
  stalePrices: Type.Array(StalePrice, {
    description: 'Tokens of listed markets whose price is older than the limit of its reserve',
  }),
  registry: RegistryStatus,
  proof: ProofStatus,
  drift: DriftStatusJson,
  positionGaps: PositionGapStatus,
  programs: Type.Array(ProgramStatusJson, {
    description: 'Programs of the cluster and the releases that run, as far as they are read',
  }),
});

const DemoAction = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    amount: describe(DecimalString, 'Amount in whole tokens'),
  },
  { description: 'Example request to a builder, for the loan in `market`' },
);

const DemoAddresses = Type.Object(
  {
    rpcUrl: Type.String({ description: 'JSON-RPC URL of localnet' }),
    wsUrl: Type.String({ description: 'WebSocket URL of localnet' }),
    wallet: describe(AddressString, 'Address of the example wallet'),
    market: describe(AddressString, 'Address of a lending market'),
    vault: describe(AddressString, 'Address of an earn vault'),
    obligation: describe(AddressString, 'Address of a loan of the wallet'),
    deposit: DemoAction,
    borrow: DemoAction,
    repay: DemoAction,
    withdraw: DemoAction,
    vaultDeposit: Type.Object(
      {
        kvault: describe(AddressString, 'Address of the vault'),
        amount: describe(DecimalString, 'Amount in whole tokens'),
      },
      { description: 'Example request to the builder of vault deposits' },
    ),
  },
  { description: 'On localnet: an example wallet with loans and vault shares' },
);

const Status = Type.Object(
  {
    version: Type.String({ description: 'Version of the package' }),
    node: Type.String({ description: 'Version of Node.js' }),
    startedAt: describe(IsoInstant, 'Start of the process, UTC'),
    uptimeSeconds: Type.Integer({ description: 'Time since the start in seconds' }),
    ready: Type.Boolean({ description: 'Whether all parts are ready' }),
    warnings: Type.Array(Type.String(), { description: 'What the operator should change' }),
    limits: Type.Array(ActiveLimit, { description: 'Empty when rate limiting is off' }),
    tokens: describe(TokenSourceStatus, 'Source of the token catalogue'),
    clusters: Type.Array(ServedCluster, { description: 'Primary cluster first' }),
    demo: Type.Optional(DemoAddresses),
  },
  { title: 'Status' },
);

const startTime = oncePerApp(({ clock }) => clock());
const stalePriceList = oncePerApp(createStalePriceList);

export const getStatus: OperationPlugin = (context) => async (app) => {
  const { tokens, limits, version, clock, clusters, metrics } = context;
  const startedAt = startTime(context);
  const stalePricesOf = stalePriceList(context);
  metrics.gauge('tidegate_unreadable_accounts', 'Accounts that cannot be decoded.', () =>
    clusters.all.reduce((sum, { reader }) => sum + reader.unreadable.count, 0),
  );

  metrics.register({
    name: 'tidegate_history_available',
    type: 'gauge',
    help: 'Whether the history of a cluster can be read: 1 or 0.',
    read: historyGauge(clusters, ({ isReadable }) => isReadable),
  });
  metrics.register({
    name: 'tidegate_history_recording',
    type: 'gauge',
    help: 'Whether this server records the history of a cluster: 1 or 0.',
    read: historyGauge(clusters, ({ isWritable }) => isWritable),
  });

  app.get(
    '/status',
    defineOperation(
      {
        operationId: 'getStatus',
        tag: 'operations',
        summary: 'Version, data sources and rate limits',
        description:
          'State of this deployment for its operator: clusters, endpoints, missing data and warnings.',
        weight: 1,
        ignoresMinContextSlot: true,
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
      clusters: clusters.all.map((cluster) => ({
        ...clusterJson(cluster, clock()),
        stalePrices: [...stalePricesOf(cluster)],
      })),
      ...demoJson(context),
    }),
  );
};

function demoJson({ demo }: OperationContext) {
  const known = demo();
  return known === undefined ? {} : { demo: known.addresses };
}

/** Lists the policy of local callers only if it differs from that of other callers. */
function distinctPolicies(limits: RateLimits): readonly RateLimitPolicy[] {
  const { anonymous, loopback, key } = limits;
  return loopback.name === anonymous.name ? [anonymous, key] : [anonymous, loopback, key];
}

function limitJson({ name, quota, windowSeconds }: RateLimitPolicy): Static<typeof ActiveLimit> {
  return { policy: name, quota, windowSeconds };
}

function clusterJson(
  cluster: Cluster,
  now: number,
): Omit<Static<typeof ServedCluster>, 'stalePrices'> {
  const { slot, waitingFor, endpoints, ...status } = cluster.status();
  const { unix } = cluster.reader.at();
  return {
    env: cluster.env,
    commitment: cluster.commitment,
    slot: slot?.toString() ?? null,
    blockTime: slot === undefined ? null : new Date(Number(unix) * 1000).toISOString(),
    ageMs: slot === undefined ? null : Math.round(cluster.ageMs()),
    lagSlots: slot === undefined ? null : status.lagSlots,
    waitingFor: waitingFor ?? null,
    endpoints: endpoints.map(endpointJson),
    source: sourceStatusJson(status.source, now),
    alarms: sourceAlarmsJson(status.alarms),
    history: historyStatusJson(status.history),
    missing: [...status.missing],
    scans: refusedScansJson(status.scans, now),
    checks: checkStatusJson(status.checks),
    undecodedAccounts: status.undecodedAccounts,
    unreadableAccounts: unreadableAccountsJson(cluster.reader.unreadable),
    unproven: unprovenKindsJson(cluster.unproven),
    registry: registryStatusJson(cluster),
    proof: proofStatusJson(cluster),
    drift: driftStatusJson(cluster),
    positionGaps: positionGapStatusJson(cluster),
    programs: programStatusJson(cluster),
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

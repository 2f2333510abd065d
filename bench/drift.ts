import { setTimeout as pause } from 'node:timers/promises';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { EndpointUsage } from '#server/chain/budget/endpoint-meter.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createRpcSource } from '#server/chain/rpc/rpc-source.ts';
import { DriftCheck } from '#server/indexer/drift/drift-check.ts';
import { PROGRAM_KINDS } from '#server/indexer/drift/drift-context.ts';
import type { DriftScope, DriftStatus } from '#server/indexer/drift/drift-tally.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { MainnetProcess } from './mainnet/mainnet-process.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * What comparing state with the chain costs on a simulated mainnet, and how soon a wrong loan is found. The passes are as
 * short as they can be; their calls and bytes are then those of each default period: a minute, and an hour for users.
 */
const LOANS = sized(300_000, 500);
const FARM_USERS = sized(400_000, 500);
const TIMING = { programsMs: sized(20_000, 500), usersMs: sized(20_000, 500) };
const BUDGET_CALLS = 38;
const MINUTES_PER_USERS_PASS = 60;
const PER_WHOLE = { programs: 10, users: 24 };
const POLL_MS = 20;
const SCAN = 'getProgramAccounts';

type Cost = { readonly calls: number; readonly bytes: number };

const node = await MainnetProcess.start({ loans: LOANS, farmUsers: FARM_USERS, hasPages: true });
const url = new URL(node.rpcUrl);
const common = { commitment: 'confirmed', clock: Date.now, random: Math.random } as const;
const source = createClusterSource({
  ...common,
  rpcUrls: [url],
  wsUrls: [new URL(node.wsUrl)],
  log: silentLog,
});
const state = new ClusterState({ log: silentLog });
const indexer = createIndexer({ ...common, source, state, mode: 'all', log: silentLog });
/** Of the check alone. */
const reader = createRpcSource({ ...common, url, maxLagSlots: 100n });
let status: DriftStatus = { kinds: [], passes: [] };
const check = new DriftCheck({
  timing: TIMING,
  source: reader,
  state,
  followed: indexer.followed,
  step: () => source.status().updates.step,
  onLoss: () => undefined,
  onChange: (changed) => {
    status = changed;
  },
  clock: Date.now,
  now: () => performance.now(),
  log: silentLog,
});

try {
  await indexer.start();
  const cpuBefore = process.cpuUsage();
  check.start();
  await until(() => hasEnded('programs'));
  const programs = costOf((method) => method !== SCAN);
  await until(() => hasEnded('users'));
  const users = costOf((method) => method === SCAN);
  const { user, system } = process.cpuUsage(cpuBefore);
  const wrongSince = performance.now();
  makeOneLoanWrong();
  await until(() => status.kinds.some(({ kind }) => kind === 'obligation'));
  const foundSeconds = (performance.now() - wrongSince) / 1_000;
  const comparedSince = performance.now();
  await until(() => status.kinds.every(({ open }) => open === undefined));
  const comparedSeconds = (performance.now() - comparedSince) / 1_000;
  const cpuMs = (user + system) / 1_000;
  report({ programs, users, foundSeconds, comparedSeconds, cpuMs });
} finally {
  check.stop();
  indexer.stop();
  reader.close();
  source.close();
  node.stop();
}

/** As if its last update had not arrived. */
function makeOneLoanWrong(): void {
  const [loan] = state.accounts(['obligation']);
  if (loan === undefined) throw new Error('there is no loan');
  const { address, owner, slot } = loan;
  const data = loan.data.slice();
  new DataView(data.buffer).setBigUint64(obligation.offsets.lastUpdate, 1n, true);
  state.apply({ address, account: { owner, data }, slot });
}

function hasEnded(scope: DriftScope): boolean {
  return status.passes.some((pass) => pass.scope === scope && pass.lastEndedAt !== undefined);
}

function costOf(counts: (method: string) => boolean): Cost {
  const usage: EndpointUsage | undefined = reader.usage?.();
  const sum = { calls: 0, bytes: 0 };
  for (const [method, { calls, sentBytes, receivedBytes }] of usage?.methods ?? []) {
    if (!counts(method)) continue;
    sum.calls += calls;
    sum.bytes += sentBytes + receivedBytes;
  }
  return sum;
}

type Figures = {
  readonly programs: Cost;
  readonly users: Cost;
  readonly foundSeconds: number;
  readonly comparedSeconds: number;
  readonly cpuMs: number;
};

function report({ programs, users, foundSeconds, comparedSeconds, cpuMs }: Figures): void {
  const perMinute = {
    calls: programs.calls + users.calls / MINUTES_PER_USERS_PASS,
    bytes: programs.bytes + users.bytes / MINUTES_PER_USERS_PASS,
  };
  const { obligations, farmUsers } = state.statistics();
  const accounts = Array.from(state.accounts(PROGRAM_KINDS)).length;
  console.table([
    { measured: 'accounts of programs', value: accounts },
    { measured: 'loans, stakes', value: `${obligations}, ${farmUsers}` },
    { measured: 'calls, MB of a pass over accounts of programs', value: text(programs) },
    { measured: 'calls, MB of a pass over loans, stakes and shares', value: text(users) },
    { measured: 'calls, MB per minute with the default periods', value: text(perMinute) },
    { measured: 'ms of CPU of both passes', value: cpuMs.toFixed(0) },
    { measured: 'seconds until a wrong loan was found', value: foundSeconds.toFixed(1) },
    { measured: 'seconds until all loans were compared', value: comparedSeconds.toFixed(1) },
    { measured: 'seconds of a pass in this run', value: TIMING.usersMs / 1_000 },
  ]);
  console.log(
    `Every ${PER_WHOLE.programs}th pass over programs and every ${PER_WHOLE.users}th over users reads whole accounts.`,
  );
  console.log(`budget: at most ${BUDGET_CALLS} calls a minute`);
  reportBudget(perMinute.calls <= BUDGET_CALLS);
}

function text({ calls, bytes }: Cost): string {
  return `${calls.toFixed(1)}, ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(POLL_MS);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { acquireDatabase } from '../history/worker-database.ts';
import { startGoldenLocalnet } from '../localnet/golden-localnet.ts';
import { type ActiveCluster, startActiveCluster } from '../proof/active-cluster.ts';
import { WAIT_LIMIT_MS } from '../waiting/wait-until.ts';
import { AnswerJudge, type Verdicts } from './answer-judge.ts';
import { type FaultyBehaviour, REAL_SLOT_MS } from './fault.ts';
import { type FaultNode, startFaultNode } from './fault-node.ts';
import type { FaultPlan } from './fault-plan.ts';
import { compareHistories, listChangedPositions, readAllData } from './position-histories.ts';
import { serveMix } from './served-mix.ts';
import { listFindings } from './served-status.ts';
import { SlotAnswers } from './slot-answers.ts';

/** The number of slots between two actions of wallets. */
const ACT_EVERY = 6;
const MAX_LOANS = 6;
/** The number of turns in which the paths are read. */
const READ_IN_TURN = 3;
const CALM_SLOTS = 10;
/** More than a minute of the cluster's time, after which the first samples are recorded. */
const MINUTE_SLOTS = 160;

export type CaseReport = {
  readonly faults: string;
  readonly verdicts: Verdicts;
  readonly silent: readonly string[];
  /** The first answers that were wrong before it was found out. */
  readonly unnoticed: readonly string[];
  /** Transactions and profits that differ from those of a server on the healthy node, without a mark. */
  readonly wrongHistories: readonly string[];
  readonly findings: readonly string[];
  /** Paths that are not right again, and what `/status` says then. */
  readonly unrecovered: readonly string[];
  readonly recoverySlots: number;
};

type Run = {
  readonly plan: FaultPlan;
  readonly cluster: ActiveCluster;
  readonly node: FaultNode;
  readonly judge: AnswerJudge;
  readonly paths: readonly string[];
};

/** A server that follows a cluster with activity, while the faults of a plan last and until it has recovered. */
export async function runFaultCase(plan: FaultPlan): Promise<CaseReport> {
  const cluster = await startActiveCluster();
  const answers = new SlotAnswers(cluster);
  onTestFinished(() => answers.close());
  const node = await startFaultNode(cluster);
  const second = plan.hasSecondNode ? [await cluster.localnet.addNode(0)] : [];
  const { api, cluster: served } = await serve(plan, cluster, [node, ...second]);
  const healthy = plan.hasHistory ? await serve(plan, cluster, [cluster]) : undefined;
  while ([served, healthy?.cluster].some((each) => each?.reader.at().slot === 0n))
    await passSlot(cluster, 'idle');
  // an event that is recorded before the first sample may lack a price
  for (let passed = 0; plan.hasHistory && passed < MINUTE_SLOTS; passed += 4)
    await passSlot(cluster, 'idle', 4);
  const before = readAllData(cluster);
  const paths = listPaths(cluster);
  const judge = new AnswerJudge(api, answers, paths);
  const run: Run = { plan, cluster, node, judge, paths };
  await follow(run, CALM_SLOTS, []);
  const faults = await beginFaults(run);
  node.setFaults(faults);
  if (plan.dropsSockets) node.closeSockets();
  await follow(run, plan.slots, faults);
  node.setFaults([]);
  for (const { end } of faults) await end?.();
  const recovery = await recover(run);
  judge.finish();
  const wrongHistories =
    healthy === undefined
      ? []
      : await compareHistories(
          { followed: api, healthy: healthy.api },
          listChangedPositions(cluster, before),
          () => passSlot(cluster, 'idle'),
        );
  const names = plan.faults.map(({ name }) => name).join(' + ');
  return {
    faults: plan.hasSecondNode ? `${names} (of two endpoints)` : names,
    verdicts: judge.verdicts,
    silent: judge.silent,
    unnoticed: judge.unnoticed,
    wrongHistories,
    findings: [...judge.findings],
    ...recovery,
  };
}

async function serve(
  { hasHistory }: FaultPlan,
  cluster: ActiveCluster,
  nodes: Parameters<typeof serveMix>[1],
) {
  const database = hasHistory ? await acquireDatabase() : undefined;
  if (database !== undefined) onTestFinished(() => database.release());
  return serveMix(cluster, nodes, database?.open());
}

async function beginFaults({ plan, cluster }: Run): Promise<readonly FaultyBehaviour[]> {
  const { bank } = cluster.localnet;
  const other = () => startGoldenLocalnet('another cluster', { origin: bank.timeOf(bank.slot) });
  const begun: FaultyBehaviour[] = [];
  for (const fault of plan.faults)
    begun.push(await fault.begin({ random: plan.random, cluster, other }));
  return begun;
}

async function passSlot(cluster: ActiveCluster, act: 'act' | 'idle', count = 1): Promise<void> {
  for (let i = 0; i < count; i++) cluster.advance(i === 0 ? act : 'idle');
  await sleep(REAL_SLOT_MS);
}

/** Slots pass, wallets act, and answers are compared. */
async function follow(
  { cluster, judge, paths }: Run,
  slots: number,
  faults: readonly FaultyBehaviour[],
): Promise<void> {
  let isDone = false;
  const reading = (async () => {
    for (let round = 0; !isDone; round++) {
      await judge.watch();
      await judge.read(paths.filter((_, i) => i % READ_IN_TURN === round % READ_IN_TURN));
      await sleep(REAL_SLOT_MS);
    }
  })();
  try {
    for (let passed = 0; passed < slots; passed++) {
      let count = 1;
      for (const { beforeSlot } of faults) count = (await beforeSlot?.()) ?? count;
      await passSlot(cluster, passed % ACT_EVERY === 0 ? 'act' : 'idle', count);
    }
  } finally {
    isDone = true;
    await reading;
  }
}

/** Until every answer is right and unmarked. */
async function recover({ cluster, judge }: Run) {
  const first = cluster.localnet.bank.slot;
  const until = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    await passSlot(cluster, 'idle');
    // polled accounts are of one slot only while none passes
    await sleep(REAL_SLOT_MS * 8);
    const status = await judge.watch();
    // new loans too
    const wrong = await judge.read(listPaths(cluster));
    const isOpen = status.unproven.length > 0 || status.drift.kinds.some(({ since }) => since);
    const recoverySlots = Number(cluster.localnet.bank.slot - first);
    if (status.ready && wrong.length === 0 && !isOpen) return { unrecovered: [], recoverySlots };
    if (performance.now() > until) {
      return { unrecovered: [...wrong, ...listFindings(status)], recoverySlots };
    }
  }
}

/** One or more of each kind of account. */
function listPaths({ metadata, localnet: { bank } }: ActiveCluster): readonly string[] {
  const { markets, vaults, demo, wallets } = metadata;
  const loans: Address[] = [];
  for (const { address, account } of bank.accounts()) {
    if (obligation.matches(account)) loans.push(address);
  }
  const used = vaults.filter(({ address }) => {
    const account = bank.account(address);
    return account !== undefined && vaultState.decode(account).sharesIssued > 0n;
  });
  return [
    '/v2/svc-market',
    '/oracles/prices',
    ...markets.slice(0, 2).map(({ address }) => `/svc-market/${address}/reserves/metrics`),
    `/svc-market/${demo.market}/users/${demo.wallet}/obligations`,
    ...[demo.obligation, ...loans.slice(-MAX_LOANS)].map((loan) => `/klend/loans/${loan}`),
    ...used.slice(0, 3).map(({ address }) => `/kvaults/vaults/${address}`),
    ...wallets.slice(10, 14).map((wallet) => `/kvaults/users/${wallet}/positions`),
  ];
}

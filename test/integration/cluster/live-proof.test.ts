import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { type ProgramRules, rulesOfReleases } from '#core/protocol/releases/index.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { readSettings } from '#server/cli/settings/settings.ts';
import { replayProof } from '#server/composition/tasks/proof.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { startActiveCluster } from '../../support/proof/active-cluster.ts';
import { proveCluster, provenTransactions } from '../../support/proof/proven-server.ts';

const SLOTS = 30;

const executorOf = (rules: ProgramRules) => createModelExecutor(modelPrograms(rules), rules);

onPglite('the proof of a running server', ({ fresh }) => {
  test('ordinary activity is proven, and nothing differs', async () => {
    const active = await startActiveCluster();
    const history = await (await fresh()).open();
    const { advance, report, api } = await proveCluster(active, { history });
    await advance(SLOTS);

    const { rows, counterexamples, transactions, hasTransactions } = report();
    expect(counterexamples).toEqual([]);
    expect(hasTransactions).toBe(true);
    expect(transactions.sinceStart).toMatchObject({ differing: 0, notTried: 0 });
    expect(transactions.sinceStart.proven).toBeGreaterThan(10);
    const proven = rows.filter(({ sinceStart }) => sinceStart.proven > 0);
    const subjects = proven.map(({ program, kind }) => `${program} ${kind}`);
    expect(subjects).toEqual(
      expect.arrayContaining([
        ...['klend reserve', 'klend obligation', 'kvault vault', 'farms farm', 'farms farmUser'],
        ...['klend transaction', 'kvault transaction', 'farms transaction'],
      ]),
    );
    // keepers refresh reserves without a transaction
    expect(proven.map(({ instruction }) => instruction)).toContain('accrual');

    const { body, headers } = await api.get('/proof');
    expect(body).toMatchObject({ state: 'running', counterexamples: [], cpuBudgetPercent: 100 });
    expect(headers.get('x-unproven')).toBeNull();
    const status = (await api.get('/status')).body as { clusters: { proof: object }[] };
    expect(status.clusters[0]?.proof).toMatchObject({ counterexamples: 0 });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toContain('tidegate_proof_counterexamples{cluster="localnet"} 0\n');
  });

  test('a cluster that executes another release is found, with a counterexample', async () => {
    const old = rulesOfReleases('klend@1.16');
    const active = await startActiveCluster(executorOf(old(toSlot(0n))));
    const database = await fresh();
    const server = await proveCluster(active, { history: await database.open() });
    const { api, dataDir } = server;
    await server.advance(SLOTS);

    const { counterexamples, releases } = server.report();
    const [found] = counterexamples;
    expect(found).toMatchObject({ releases, explanation: null });
    const programs = counterexamples.flatMap(({ subjects }) =>
      subjects.map((each) => each.program),
    );
    expect(programs).toContain('klend');

    const { market } = active.metadata.demo;
    const reserves = await api.get(`/svc-market/${market}/reserves/metrics`);
    expect(reserves.headers.get('x-unproven')).toMatch(/^reserve;code=proofDiffers;since=\d+;/);
    const status = (await api.get('/status')).body as { clusters: { proof: object }[] };
    expect(status.clusters[0]?.proof).not.toMatchObject({ counterexamples: 0 });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toMatch(/^tidegate_proof_counterexamples\{cluster="localnet"\} [1-9]/m);
    await server.stop();

    // offline, from the file alone
    const config = { ...readSettings({}).config, dataDir };
    const file = join(dataDir, 'proof', 'localnet', `${found?.id}.json`);
    const again = await replayProof({ args: [file], flags: {}, config });
    expect(again).toMatchObject({ exitCode: 1 });
    const flags = { releases: 'klend@1.16' };
    const fixed = await replayProof({ args: [found?.id ?? ''], flags, config });
    expect(fixed).toEqual({ output: expect.stringMatching(/Nothing differs.$/), exitCode: 0 });

    // a release of the server that knows the rules explains all of them at its start
    const history = await database.open();
    const later = await proveCluster(active, { history, dataDir, rulesAt: old });
    await expect
      .poll(() => later.report().counterexamples.filter(({ explanation }) => !explanation))
      .toEqual([]);
    const right = await later.api.get(`/svc-market/${market}/reserves/metrics`);
    expect(right.headers.get('x-unproven')).toBeNull();
  });

  test('rolled back slots, gaps and restarts are no difference', async () => {
    const active = await startActiveCluster();
    const database = await fresh();
    const first = await proveCluster(active, { history: await database.open() });
    await first.advance(10);
    await active.localnet.rollBack(6n);
    await first.advance(15);
    const before = provenTransactions(first.report());
    active.dropWebSockets();
    active.advance();
    active.advance();
    await first.advance(15);
    expect(provenTransactions(first.report())).toBeGreaterThan(before);
    expect(first.report()).toMatchObject({ counterexamples: [] });
    expect(first.report().transactions.sinceStart.differing).toBe(0);
    await first.stop();

    const second = await proveCluster(active, { history: await database.open() });
    await second.advance(10);
    expect(second.report()).toMatchObject({ counterexamples: [] });
    expect(provenTransactions(second.report())).toBeGreaterThan(0);
  });
});

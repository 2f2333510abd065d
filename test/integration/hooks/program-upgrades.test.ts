import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import type { DeployedProgram } from '#core/protocol/releases/deployed-program.ts';
import type { HookTrigger } from '#server/clusters/cluster-hooks.ts';
import type { History } from '#server/history/open-history.ts';
import { NO_PROGRAMS, withProgram } from '#server/programs/cluster-programs.ts';
import { HookRunner } from '#server/webhooks/hook-runner.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';

const PATIENTLY = { interval: 10 };

const cluster = staticCluster();
const { slot } = cluster.reader.at();

/** A deployment some slots after the state. */
const deployment = (
  program: 'klend' | 'kvault',
  slots: bigint,
  version?: string,
): DeployedProgram => ({
  program,
  address: program === 'klend' ? KLEND_PROGRAM : KVAULT_PROGRAM,
  deploySlot: toSlot(slot + slots),
  authority: undefined,
  size: 3,
  hash: `${slots}`,
  release: version === undefined ? undefined : { version, by: 'hash' },
});

const programsOf = (...deployed: readonly DeployedProgram[]) =>
  deployed.reduce(withProgram, NO_PROGRAMS);

/** A process that writes, with the programs that it has read. */
function start(history: History, programs: ReturnType<typeof programsOf>) {
  const current = { programs };
  const runner = new HookRunner({
    history,
    cluster: { ...cluster, programs: () => current.programs },
    network: { lookup: async () => [], isPrivate: () => true },
    allowsPrivate: false,
    retentionDays: 30,
    clock: () => 1_000,
    random: () => 0,
    log: silentLog,
  });
  runner.start();
  return Object.assign(current, { runner });
}

const create = (runner: HookRunner, id: string, trigger: HookTrigger) =>
  runner.execute({
    ...{ kind: 'create', owner: 'key', id, url: 'https://receiver.test/', description: '' },
    ...{ trigger, secret: 'whsec_AAAA', createdAt: 1 },
  });

async function delivered({ db }: History, runner: HookRunner, hook: string) {
  runner.onSlot();
  const rows = await db
    .selectFrom('hook_delivery')
    .select(['type', 'body'])
    .where('hook', '=', hook)
    .orderBy('event_key')
    .execute();
  return rows.map(({ type, body }) => {
    const { data } = JSON.parse(body ?? '{}') as { data: Record<string, unknown> };
    return { type, ...data };
  });
}

const slots = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ program, deploySlot }) => [program, BigInt(`${deploySlot}`) - slot]);

onEachEngine('webhooks for upgrades', ({ fresh }) => {
  test('an upgrade is delivered once to each hook that watches the program', async () => {
    const history = await (await fresh()).open();
    const before = programsOf(deployment('klend', -9n, '1.24'), deployment('kvault', -9n, '2.3.0'));
    const process = start(history, before);
    const { runner } = process;
    await create(runner, 'all', { type: 'programUpgraded' });
    await create(runner, 'kvault', { type: 'programUpgraded', program: 'kvault' });
    const read = (hook: string) => delivered(history, runner, hook);
    process.programs = withProgram(before, deployment('klend', 5n, '1.25'));
    await expect.poll(async () => slots(await read('all')), PATIENTLY).toEqual([['klend', 5n]]);
    expect(await read('all')).toMatchObject([
      {
        type: 'program.upgraded',
        address: KLEND_PROGRAM,
        release: '1.25',
        unknownSince: null,
        hash: '5',
        rules: '1.25',
      },
    ]);
    process.programs = withProgram(process.programs, deployment('kvault', 6n));
    await expect.poll(async () => slots(await read('kvault')), PATIENTLY).toEqual([['kvault', 6n]]);
    expect(await read('kvault')).toMatchObject([{ release: null, unknownSince: `${slot + 6n}` }]);
    expect(slots(await read('all'))).toEqual([
      ['klend', 5n],
      ['kvault', 6n],
    ]);
    await runner.stop();
    await history.close();
  });

  test('an upgrade while no process ran is delivered after the next start, and not again', async () => {
    const database = await fresh();
    const first = await database.open();
    const { runner } = start(first, programsOf(deployment('klend', -9n, '1.24')));
    await create(runner, 'hook', { type: 'programUpgraded' });
    await runner.stop();
    await first.close();
    for (const _ of ['second', 'third']) {
      const history = await database.open();
      const next = start(history, programsOf(deployment('klend', 7n)));
      const read = async () => slots(await delivered(history, next.runner, 'hook'));
      await expect.poll(read, PATIENTLY).toEqual([['klend', 7n]]);
      await next.runner.stop();
      await history.close();
    }
  });
});

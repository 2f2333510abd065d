import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { ChaosRun } from '../support/chaos/chaos-run.ts';
import { faults } from '../support/chaos/faults.ts';
import { lastingFaults } from '../support/chaos/lasting-faults.ts';
import { hasPostgresPrograms } from '../support/chaos/postgres-process.ts';
import { testOfSeries } from '../support/deploy/alert-scenarios.ts';
import { deploymentFaults } from '../support/deploy/deployment-faults.ts';
import { hasPromtool, testRules } from '../support/deploy/promtool.ts';
import {
  metricsOfRules,
  type Scrape,
  scrapeAll,
  seriesOfFault,
} from '../support/deploy/scraped-series.ts';
import { hasRedis } from '../support/processes/redis-process.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';

/** Between two scrapes of a fault. */
const SCRAPE_MS = 3_000;
const rowsByName = new Map(deploymentFaults.map((row) => [row.fault, row]));

test('each fault of the chaos test has its row in the table of alerts', () => {
  const names = [...faults, ...lastingFaults].map(({ name }) => name);
  expect(names.filter((name) => !rowsByName.has(name))).toEqual([]);
});

const canRun = hasPostgresPrograms() && hasRedis() && hasPromtool();

describe.skipIf(!canRun)('what the processes of a deployment measure', () => {
  const used = metricsOfRules();
  let run: ChaosRun;
  let before: Scrape;

  const scrape = () => {
    const { members } = run.topology;
    return scrapeAll(
      members.map(({ name, running }) => ({ name, url: running.url })),
      used,
    );
  };

  /** What promtool says about the alerts of a fault, if it went on as now. */
  async function findWrongAlerts(name: string): Promise<string> {
    const first = await scrape();
    await sleep(SCRAPE_MS);
    const second = await scrape();
    const row = rowsByName.get(name);
    if (row === undefined) throw new Error(`there is no row ${name}`);
    try {
      testRules(temporaryFolder(), [testOfSeries(row, seriesOfFault({ before, first, second }))]);
      return '';
    } catch (error) {
      return String(error);
    }
  }

  beforeAll(async () => {
    run = await ChaosRun.start();
  });

  afterAll(async () => {
    await run.stop();
  });

  /** A long scrape interval before, so that the lag of the event loop is that of the deployment. */
  async function scrapeHealthy(): Promise<void> {
    await run.waitUntilCurrent();
    before = await scrape();
  }

  test.each(lastingFaults)('while it lasts, $name raises its alerts only', async (fault) => {
    await scrapeHealthy();
    const end = await fault.begin(run.topology);
    if (end === undefined) return;
    try {
      await expect.poll(() => findWrongAlerts(fault.name)).toBe('');
    } finally {
      await end();
    }
    await run.waitUntilCurrent();
  });

  const passing = faults.filter(({ name }) => {
    const fires = rowsByName.get(name)?.fires ?? {};
    return Object.keys(fires).length === 0;
  });

  test.each(passing)('after it is over, $name raises no alert', async (fault) => {
    await scrapeHealthy();
    const random = createSeededRandom(`alerts/${fault.name}`);
    await fault.run({ cluster: run.cluster, topology: run.topology, random });
    await run.waitUntilCurrent();
    await expect.poll(() => findWrongAlerts(fault.name)).toBe('');
  });
});

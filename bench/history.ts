import { type History, openHistory } from '#server/history/open-history.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { findPostgresServer } from '../test/support/history/postgres-server.ts';
import {
  createPgliteFolder,
  createPostgresDatabase,
  type TemporaryDatabase,
} from '../test/support/history/test-databases.ts';
import { measureIngest } from './history/ingest-rate.ts';
import { startTimingClient, type TimingClient } from './history/interleaved-timing.ts';
import { type Population, recordPopulation } from './history/population.ts';
import { measureReads } from './history/read-latency.ts';
import {
  ingestRow,
  type ReportRow,
  reportRow,
  storageRows,
  toTableRow,
} from './history/report-rows.ts';
import { measureIdleGrowth, measureStorage } from './history/storage-size.ts';
import { reportBudget, sized, sizeSetting } from './smoke.ts';

/**
 * Writes and reads history on both engines in one run, against a plain implementation and with ten times as many
 * users. `DAYS` shortens it; the bounds are for a year.
 */
const plan = {
  days: sizeSetting('DAYS', 365, 2),
  times: sizeSetting('BENCH_USERS', 10, 2),
  tradedEvents: sized(1_000, 20),
  storedRows: sized(20_000, 500),
};
const ROUNDS = sizeSetting('BENCH_ROUNDS', 15, 1);
const IDLE_POSITIONS = sized(10_000, 100);

/** One database with the simulated users, one with several times as many, one to write into. */
type Engine = {
  readonly name: History['engine'];
  readonly usual: History;
  readonly crowded: History;
  readonly spare: History;
};

const ends: (() => Promise<void>)[] = [];
const client = startTimingClient();
ends.push(async () => client.stop());
try {
  const engines = await openEngines();
  const population = await record(engines);
  let isWithinBudget = true;
  for (const engine of engines) {
    const figures = await measure(engine, population, client);
    console.log(`${engine.name}, ${plan.days} days, medians of ${ROUNDS} rounds in turns`);
    console.table(figures.map(toTableRow));
    for (const figure of figures) reportRow(engine.name, figure);
    isWithinBudget &&= figures.every((figure) => figure.isWithinBound !== false);
  }
  const isIdleFree = await reportIdleGrowth(engines, population);
  reportBudget(isWithinBudget && isIdleFree);
} finally {
  for (const end of ends.reverse()) await end();
}

async function openEngines(): Promise<Engine[]> {
  const embedded = await openEngine(createPgliteFolder);
  const server = await findPostgresServer();
  if (server !== undefined)
    return [embedded, await openEngine(() => createPostgresDatabase(server))];
  console.log('PostgreSQL is skipped: set TEST_DATABASE_URL or start a server on the local socket');
  return [embedded];
}

async function openEngine(make: () => Promise<TemporaryDatabase>): Promise<Engine> {
  const open = async () => {
    const { location, remove } = await make();
    ends.push(remove);
    const history = await openHistory({ ...location, log: silentLog });
    ends.push(() => history.close());
    return history;
  };
  const [usual, crowded, spare] = [await open(), await open(), await open()];
  return { name: usual.engine, usual, crowded, spare };
}

async function record(engines: readonly Engine[]): Promise<Population> {
  const start = performance.now();
  const writerOf = ({ db }: History) => new HistoryWriter(db);
  const population = await recordPopulation(plan, {
    usual: engines.map(({ usual }) => writerOf(usual)),
    crowded: engines.map(({ crowded }) => writerOf(crowded)),
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${plan.days} days simulated and written into ${2 * engines.length} databases in ${seconds} s`,
  );
  return population;
}

async function measure(
  { usual, crowded, spare }: Engine,
  population: Population,
  timing: TimingClient,
): Promise<ReportRow[]> {
  const ingest = await measureIngest(spare, population.batches, Math.ceil(ROUNDS / 3));
  const reads = await measureReads(
    { usual, crowded, population, client: timing },
    { ...plan, rounds: ROUNDS },
  );
  return [ingestRow(ingest), ...reads, ...storageRows(await measureStorage(usual))];
}

async function reportIdleGrowth(
  engines: readonly Engine[],
  population: Population,
): Promise<boolean> {
  const histories = engines.map(({ usual }) => usual);
  const days = Math.min(plan.days, 30);
  const bytes = await measureIdleGrowth(population, histories, {
    positions: IDLE_POSITIONS,
    days,
  });
  for (const [i, { name }] of engines.entries()) {
    console.log(`${name}: ${bytes[i]} bytes per idle position and year (bound 0)`);
  }
  return bytes.every((each) => each === 0);
}

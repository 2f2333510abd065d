import { openHistory } from '#server/history/open-history.ts';
import {
  listOperationRequests,
  type OpenApi,
  type OperationRequest,
  type Subject,
} from '../test/support/day-one/operation-requests.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { recordSimulation } from '../test/support/history/recorded-simulation.ts';
import { createPgliteFolder } from '../test/support/history/test-databases.ts';
import { median } from './compare/median.ts';
import { reportBudget, sized, sizeSetting } from './smoke.ts';
import { createColdApp } from './weights/cold-app.ts';

/** CPU time of one call of each operation, computed without any cache, per unit of its weight. */
const DAYS = sizeSetting('DAYS', 365, 1);
const WARM_UP_CALLS = sized(5, 1);
const ROUNDS = sized(5, 1);
const CALLS = sized(4, 1);
/** Times the median of all operations. */
const BUDGET = 3;

type Measured = {
  readonly operationId: string;
  readonly weight: number;
  readonly ms: number;
  readonly status: number;
};

type ColdApp = Awaited<ReturnType<typeof createColdApp>>;

async function call({ app, invalidate }: ColdApp, { path, body }: OperationRequest) {
  invalidate();
  const { statusCode } = await app.inject(
    body === undefined ? { url: path } : { url: path, method: 'POST', payload: body as object },
  );
  return statusCode;
}

/** The least of several rounds: other processes only add to it. */
async function measure(cold: ColdApp, request: OperationRequest): Promise<Measured> {
  let status = 0;
  for (let count = 0; count < WARM_UP_CALLS; count++) status = await call(cold, request);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let count = 0; count < CALLS; count++) await call(cold, request);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000 / CALLS);
  }
  const { operationId, path } = request;
  const operation = cold.operations.get(operationId);
  const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
  const weight = operation?.weightOf?.(query) ?? operation?.weight ?? 0;
  return { operationId, weight, ms: Math.min(...rounds), status };
}

const { location, remove } = await createPgliteFolder();
const history = await openHistory({ ...location, log: silentLog });
try {
  const recorded = await recordSimulation({ seed: 'tidegate', days: DAYS }, history);
  const { wallet, market, obligation, vault, deposit } = recorded.metadata.demo;
  const fields = recorded.state.vault(vault)?.fields;
  const accounts = { wallet, market, obligation, vault, reserve: deposit.reserve };
  const { sharesMint = '', vaultFarm: farm = '' } = fields ?? {};
  const subject: Subject = { ...accounts, sharesMint, farm };
  const cold = await createColdApp(recorded);
  const document = (await cold.app.inject('/openapi.json')).json<OpenApi>();
  const measured: Measured[] = [];
  for (const request of listOperationRequests(document, subject)) {
    measured.push(await measure(cold, request));
  }
  await cold.app.close();
  report(measured.filter(({ weight }) => weight > 0));
} finally {
  await history.close();
  await remove();
}

/** An operation that answers with an error is listed, but has no figure to compare. */
function report(measured: readonly Measured[]): void {
  const perUnit = ({ ms, weight }: Measured) => ms / weight;
  const answered = measured.filter(({ status }) => status === 200);
  const middle = median(answered.map(perUnit));
  const rows = measured.toSorted((a, b) => perUnit(b) - perUnit(a));
  console.table(
    rows.map((row) => ({
      operation: row.operationId,
      status: row.status,
      weight: row.weight,
      'CPU ms': Number(row.ms.toFixed(2)),
      'CPU ms/unit': Number(perUnit(row).toFixed(3)),
      'times the median': Number((perUnit(row) / middle).toFixed(2)),
    })),
  );
  const highest = Math.max(...answered.map((row) => perUnit(row) / middle));
  console.log(`${DAYS} days of history; median ${middle.toFixed(2)} ms per unit`);
  console.log(`highest: ${highest.toFixed(1)} times the median (budget ${BUDGET})`);
  reportBudget(highest <= BUDGET);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureServer, type ServerFigures } from './growth/server-figures.ts';
import { startRpcServer } from './load/start-rpc-server.ts';
import { isSmoke, reportBudget, sized } from './smoke.ts';

/**
 * How the costs of a server grow with ten times as many loans, and with ten times as many days of history. Storage and
 * the first start may grow with the data; nothing else may, beyond its logarithm. `history` compares ten times as many
 * users.
 */
const TIMES = 10;
const LOANS = sized(10_000, 100);
const DAYS = sized(36, 1);
const MAX_GROWTH = 1 + Math.log10(TIMES);
const MAY_GROW = {
  // every start loads all loans from the node, and memory has a budget per loan
  loans: ['first start, s CPU', 'later start, s CPU', 'resident memory, MB', 'storage, MB'],
  days: ['first start, s CPU', 'storage, MB'],
} as const;
/** Memory of loans that are kept in memory, per loan. */
const MAX_LOAN_BYTES = 400;

type Subject = keyof typeof MAY_GROW;
type Comparison = { readonly small: ServerFigures; readonly large: ServerFigures };

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-growth-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureLoans(count: number): Promise<ServerFigures> {
  const { rpcUrl, wsUrl, process: node } = await startRpcServer(count);
  const env = { RPC_URL: rpcUrl, WS_URL: wsUrl, CLUSTER: 'localnet' };
  try {
    return await inFolder((folder) => measureServer(folder, env));
  } finally {
    node.kill();
  }
}

const measureDays = (days: number): Promise<ServerFigures> =>
  inFolder((folder) => measureServer(folder, { LOCALNET_DAYS: `${days}` }));

function report(subject: Subject, { small, large }: Comparison): boolean {
  const mayGrow: readonly string[] = MAY_GROW[subject];
  const rows = Object.entries(small).map(([work, before]) => {
    const after = large[work] ?? Number.NaN;
    const isWithin = mayGrow.includes(work) || after / before <= MAX_GROWTH;
    return { work, before, after, isWithin };
  });
  console.log(`ten times as many ${subject}`);
  console.table(
    rows.map(({ work, before, after, isWithin }) => ({
      work,
      before: Number(before.toPrecision(3)),
      after: Number(after.toPrecision(3)),
      growth: Number((after / before).toPrecision(3)),
      budget: mayGrow.includes(work)
        ? 'with the data'
        : `≤ ${MAX_GROWTH}${isWithin ? '' : ' EXCEEDED'}`,
    })),
  );
  return rows.every(({ isWithin }) => isWithin);
}

/** A smoke run measures one size only. */
async function compare(measure: (count: number) => Promise<ServerFigures>, count: number) {
  const small = await measure(count);
  return { small, large: isSmoke ? small : await measure(count * TIMES) };
}

const loans = await compare(measureLoans, LOANS);
const areLoansWithin = report('loans', loans);
const memory = 'resident memory, MB';
const added = ((loans.large[memory] ?? 0) - (loans.small[memory] ?? 0)) * 1e6;
const bytesPerLoan = added / (LOANS * (TIMES - 1));
console.log(`${bytesPerLoan.toFixed(0)} bytes of memory per loan (budget ${MAX_LOAN_BYTES})`);
const areDaysWithin = report('days', await compare(measureDays, DAYS));
reportBudget(areLoansWithin && areDaysWithin && bytesPerLoan <= MAX_LOAN_BYTES);

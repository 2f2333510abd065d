import type { Static } from 'typebox';
import {
  type CounterexampleEntry,
  coverageOf,
  type ProofReport,
  type ProofRow,
  type TransactionCounts,
} from '../../clusters/proof-report.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { ProofJson } from './schema.ts';

const NOTHING: TransactionCounts = {
  observed: 0,
  notTried: 0,
  proven: 0,
  differing: 0,
  notProvable: {},
};

const OFF: ProofReport = {
  state: 'off',
  hasTransactions: false,
  slot: null,
  startedAt: 0,
  budgetPercent: 0,
  cpuMs: 0,
  releases: {},
  transactions: { hour: NOTHING, day: NOTHING, sinceStart: NOTHING },
  rows: [],
  counterexamples: [],
};

export function proofJson({
  env,
  proof,
}: Pick<Cluster, 'env' | 'proof'>): Static<typeof ProofJson> {
  const report = proof?.report() ?? OFF;
  const { hour, day, sinceStart } = report.transactions;
  return {
    env,
    state: report.state,
    transactionsSeen: report.hasTransactions,
    slot: report.slot,
    startedAt: report.state === 'off' ? null : toIso(report.startedAt),
    cpuBudgetPercent: report.budgetPercent,
    cpuSeconds: report.cpuMs / 1000,
    releases: { ...report.releases },
    transactions: {
      hour: transactionCountsJson(hour),
      day: transactionCountsJson(day),
      sinceStart: transactionCountsJson(sinceStart),
    },
    rows: report.rows.map(rowJson),
    counterexamples: report.counterexamples.map(counterexampleJson),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const transactionCountsJson = (counts: TransactionCounts) => {
  const coverage = coverageOf(counts);
  return {
    ...counts,
    notProvable: { ...counts.notProvable },
    coverage: coverage === undefined ? null : Math.round(coverage * 100) / 100,
  };
};

function rowJson({ lastProven, hour, day, sinceStart, ...row }: ProofRow) {
  return {
    ...row,
    hour: { ...hour, notProvable: { ...hour.notProvable } },
    day: { ...day, notProvable: { ...day.notProvable } },
    sinceStart: { ...sinceStart, notProvable: { ...sinceStart.notProvable } },
    lastProvenSlot: lastProven?.slot ?? null,
    lastProvenAt: lastProven === null ? null : toIso(lastProven.at),
  };
}

const counterexampleJson = ({ foundAt, subjects, releases, ...entry }: CounterexampleEntry) => ({
  ...entry,
  subjects: [...subjects],
  releases: { ...releases },
  foundAt: toIso(foundAt),
});

import { coverageOf, type ProofReport } from '../../clusters/proof-report.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, type MetricHead, type Samples } from './each-cluster.ts';

type ProofMetric = MetricHead & { readonly read: (report: ProofReport) => Samples };

const proofMetrics: readonly ProofMetric[] = [
  {
    name: 'tidegate_proof_transactions_total',
    help: 'Observed transactions of the programs, by result of their replay.',
    read: ({ transactions: { sinceStart } }) => {
      const { proven, differing, notTried, notProvable } = sinceStart;
      const unproven = Object.values(notProvable).reduce((sum, count) => sum + count, 0);
      return [
        { labels: { result: 'proven' }, value: proven },
        { labels: { result: 'differing' }, value: differing },
        { labels: { result: 'not_provable' }, value: unproven },
        { labels: { result: 'not_tried' }, value: notTried },
      ];
    },
  },
  {
    name: 'tidegate_proof_accounts_total',
    help: 'Written accounts that were compared with their replay, by program and result.',
    read: ({ rows }) => {
      const programs = [...new Set(rows.map(({ program }) => program))];
      return programs.flatMap((program) => {
        const accounts = rows.filter((row) => row.program === program && row.kind !== OUTCOME);
        const sum = (result: 'proven' | 'differing') =>
          accounts.reduce((total, { sinceStart }) => total + sinceStart[result], 0);
        return [
          { labels: { program, result: 'proven' }, value: sum('proven') },
          { labels: { program, result: 'differing' }, value: sum('differing') },
        ];
      });
    },
  },
  {
    name: 'tidegate_proof_counterexamples',
    help: 'Stored slots that differ from their replay and are not explained.',
    read: ({ counterexamples }) => [
      { value: counterexamples.filter(({ explanation }) => explanation === null).length },
    ],
  },
  {
    name: 'tidegate_proof_coverage_percent',
    help: 'Observed transactions of the last hour that are proven or differ.',
    read: ({ transactions: { hour } }) => [{ value: coverageOf(hour) }],
  },
  {
    name: 'tidegate_proof_cpu_seconds_total',
    help: 'CPU time of replays.',
    read: ({ cpuMs }) => [{ value: cpuMs / 1000 }],
  },
];

/** The kind of rows about outcomes of transactions. */
const OUTCOME = 'transaction';

export function registerProofMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  for (const { read, ...head } of proofMetrics) {
    each(head, ({ proof }) => {
      const report = proof?.report();
      return report === undefined ? [] : read(report);
    });
  }
}

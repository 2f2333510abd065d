import { type Static, Type } from 'typebox';
import { coverageOf } from '../../clusters/proof-report.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';

export const ProofStatus = Type.Object(
  {
    summary: Type.String({ description: 'What was proven, as one line' }),
    counterexamples: Type.Integer({
      description: 'Stored slots that differ and are not explained; GET /proof lists them',
    }),
  },
  { description: 'Whether the programs do what this server computes' },
);

export function proofStatusJson({ proof }: Pick<Cluster, 'proof'>): Static<typeof ProofStatus> {
  const report = proof?.report();
  if (report === undefined) return { summary: 'off', counterexamples: 0 };
  const open = report.counterexamples.filter(({ explanation }) => explanation === null);
  const { hour } = report.transactions;
  const coverage = coverageOf(hour);
  const summary =
    coverage === undefined
      ? 'no transaction was observed in the last hour'
      : `${hour.proven} of ${hour.observed} transactions proven in the last hour, ${hour.differing} differ, coverage ${coverage.toFixed(1)} %`;
  return { summary, counterexamples: open.length };
}

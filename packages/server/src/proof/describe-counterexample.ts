import type { Counterexample } from '@tidegate/localnet/replay';
import type { CounterexampleEntry, ProofSubject } from '../clusters/proof-report.ts';
import { toProofDifference } from './proof-results.ts';

/** Its difference is the first one. */
export function describeCounterexample({
  slot: { time },
  releases,
  differences,
}: Counterexample): Omit<CounterexampleEntry, 'id' | 'foundAt' | 'explanation'> {
  const [first] = differences;
  const { slot } = time;
  const subjects = differences.flatMap(
    ({ program = 'unknown', instructions, kind }): ProofSubject[] =>
      instructions.map((instruction) => ({ program, instruction, kind })),
  );
  return {
    subjects: [...new Map(subjects.map((each) => [Object.values(each).join(' '), each])).values()],
    releases: { ...releases },
    slot: `${slot}`,
    difference:
      first === undefined ? null : toProofDifference(first, { address: first.subject, slot }),
  };
}

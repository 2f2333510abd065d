import { type DriftReader, type DriftReport, driftReasons } from '../../clusters/drift-report.ts';
import type { ProofReader, ProofReport } from '../../clusters/proof-report.ts';
import type { UnprovenKinds, UnprovenKindsReader } from '../../clusters/unproven-kinds.ts';
import type { FeedFacts } from '../../feed/feed-message.ts';
import { unprovenReasons } from '../../proof/unproven-reasons.ts';

type FollowedFindings = {
  readonly proof: ProofReader;
  readonly drift: DriftReader;
  readonly unproven: UnprovenKindsReader;
};

/** What the writer has proven and compared, in a process that reads its feed. `unproven`: what this process finds by itself. */
export function followProof(
  facts: () => Partial<FeedFacts>,
  unproven: UnprovenKinds,
): FollowedFindings {
  let lastProof: ProofReport | undefined;
  let lastDrift: DriftReport | undefined;
  const refreshed = (): UnprovenKinds => {
    const { proof, drift } = facts();
    if (proof !== lastProof) unproven.set('proof', unprovenReasons(proof?.counterexamples ?? []));
    if (drift !== lastDrift) unproven.set('drift', driftReasons(drift));
    lastProof = proof;
    lastDrift = drift;
    return unproven;
  };
  return {
    proof: { report: () => facts().proof },
    drift: { report: () => facts().drift },
    unproven: { reasons: () => refreshed().reasons(), version: () => refreshed().version() },
  };
}

import type { ProofReport } from '../../clusters/proof-report.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { UnprovenKinds } from '../../clusters/unproven-kinds.ts';
import type { FeedFacts } from '../../feed/feed-message.ts';
import { unprovenReasons } from '../../proof/unproven-reasons.ts';

/** What the writer has proven, in a process that reads its feed. `unproven`: what this process finds by itself. */
export function followProof(
  facts: () => Partial<FeedFacts>,
  unproven: UnprovenKinds,
): Required<Pick<Cluster, 'proof' | 'unproven'>> {
  let last: ProofReport | undefined;
  const refreshed = (): UnprovenKinds => {
    const { proof } = facts();
    if (proof !== last) unproven.set('proof', unprovenReasons(proof?.counterexamples ?? []));
    last = proof;
    return unproven;
  };
  return {
    proof: { report: () => facts().proof },
    unproven: { reasons: () => refreshed().reasons(), version: () => refreshed().version() },
  };
}

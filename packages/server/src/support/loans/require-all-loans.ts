import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';

const RETRY_SECONDS = 600;

/** Throws POSITIONS_INCOMPLETE if loans are followed on demand: a list or total would have those of some wallets only. */
export function requireAllLoans({ env, hasAllPositions }: Cluster): void {
  if (hasAllPositions?.() ?? true) return;
  throw new CodedError('POSITIONS_INCOMPLETE', { env, retryAfterSeconds: RETRY_SECONDS });
}

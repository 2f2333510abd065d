import { CodedError } from '../base/errors.ts';
import type { Slot } from '../base/time.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';

const RETRY_SECONDS = 1;

/** For an account of the wallet that is ahead of what is known here: both come in the end. */
export function staleStateError(
  { lastUpdate }: { readonly lastUpdate: { readonly slot: Slot } },
  state: ClusterReader,
): CodedError<'STALE_READ'> {
  const { slot } = state.at();
  const wanted = lastUpdate.slot > slot ? lastUpdate.slot : slot + 1n;
  return new CodedError('STALE_READ', { slot, wanted, retryAfterSeconds: RETRY_SECONDS });
}

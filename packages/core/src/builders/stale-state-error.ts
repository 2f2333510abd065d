import { CodedError } from '../base/errors.ts';
import type { Slot } from '../base/time.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';

const RETRY_SECONDS = 1;

/** For a wallet account that is newer than the indexed state. The state catches up. */
export function staleStateError(
  { lastUpdate }: { readonly lastUpdate: { readonly slot: Slot } },
  state: ClusterReader,
): CodedError<'STALE_READ'> {
  const { slot } = state.at();
  const minSlot = lastUpdate.slot > slot ? lastUpdate.slot : slot + 1n;
  return new CodedError('STALE_READ', { slot, minSlot, retryAfterSeconds: RETRY_SECONDS });
}

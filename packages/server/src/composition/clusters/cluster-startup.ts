import type { Logger } from '@tidegate/core/base';
import { createDeferred } from '../../chain/deferred.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import { hasCode } from '../../errors.ts';
import { publicReason } from './public-reason.ts';

/** Runs the start in the background. `failed` rejects if only other settings can help. */
export function createStartup() {
  let failure: string | undefined;
  const failed = createDeferred<never>();
  return {
    failed: failed.promise,
    failure: () => failure,
    run(start: () => Promise<void>, { env, log }: { env: ClusterName; log: Logger }): void {
      start().catch((error: unknown) => {
        failure = publicReason(error);
        const isRefused = hasCode(error, 'INVALID_SETTING') || hasCode(error, 'HISTORY_OF_ANOTHER');
        if (isRefused) failed.reject(error);
        else log.error({ env, error }, 'cluster not followed');
      });
    },
  };
}

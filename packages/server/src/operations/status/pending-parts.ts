import type { OperationContext } from '../operation-context.ts';

/** Names what the server still waits for; empty when it is ready. */
export function listPendingParts({ tokens, clusters, shutdown }: OperationContext): string[] {
  return [
    ...(tokens.catalogue() === undefined ? ['tokens'] : []),
    ...[clusters.waitingFor?.() ?? []].flat(),
    ...clusters.all.flatMap((cluster) => {
      const { waitingFor } = cluster.status();
      return waitingFor === undefined ? [] : [`${cluster.env}: ${waitingFor}`];
    }),
    ...(shutdown.isDraining ? ['shutdown'] : []),
  ];
}

/** Names what the history waits for; empty when it is ready. Current data does not depend on it. */
export function listPendingHistory({ clusters }: Pick<OperationContext, 'clusters'>): string[] {
  return clusters.all.flatMap((cluster) => {
    const { history } = cluster.status();
    if (history?.failure === undefined) return [];
    return [`${cluster.env}: ${history.isReadable ? 'recording' : 'database'}`];
  });
}

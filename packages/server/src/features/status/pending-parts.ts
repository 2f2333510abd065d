import type { FeatureContext } from '../feature-context.ts';

/** Names what the server still waits for; empty when it is ready. */
export function listPendingParts({ tokens, clusters, isClosing }: FeatureContext): string[] {
  return [
    ...(tokens.catalogue() === undefined ? ['tokens'] : []),
    ...[clusters.waitingFor?.() ?? []].flat(),
    ...clusters.all.flatMap((cluster) => {
      const { waitingFor } = cluster.status();
      return waitingFor === undefined ? [] : [`${cluster.env}: ${waitingFor}`];
    }),
    ...(isClosing() ? ['shutdown'] : []),
  ];
}

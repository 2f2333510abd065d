import { CodedError } from '@tidegate/core/base';
import type { FastifyRequest } from 'fastify';
import type { ClusterHooks } from '../../clusters/cluster-hooks.ts';
import type { Operation } from '../../http/operation.ts';
import type { FeatureContext } from '../feature-context.ts';
import { missingHistory } from '../history-query/history-query.ts';

/** What all operations of webhooks have in common. */
export const hookOperation = {
  tag: 'webhooks',
  requiresKey: true,
  ignoresMinContextSlot: true,
  headers: ['cache-control', 'no-store'],
} as const satisfies Partial<Operation>;

/** The webhooks of a cluster, and the API key of the caller, which owns what it creates. */
export function hookAccess(
  { clusters, keyIdOf }: FeatureContext,
  request: FastifyRequest,
  env: string | undefined,
): { readonly hooks: ClusterHooks; readonly owner: string } {
  const cluster = clusters.requireLoaded(env);
  if (cluster.hooks === undefined) throw missingHistory(cluster);
  const owner = keyIdOf(request);
  if (owner === undefined) throw new CodedError('API_KEY_REQUIRED', {});
  return { hooks: cluster.hooks, owner };
}

import type { FastifyRequest } from 'fastify';
import type { ClusterHooks } from '../../clusters/cluster-hooks.ts';
import { CodedError } from '../../errors.ts';
import type { Operation } from '../../http/operation.ts';
import { missingHistory } from '../../support/history/history-query.ts';
import type { OperationContext } from '../operation-context.ts';

/** What all operations of webhooks have in common. */
export const hookOperation = {
  tag: 'webhooks',
  requiresKey: true,
  ignoresMinContextSlot: true,
  headers: ['cache-control', 'no-store'],
} as const satisfies Partial<Operation>;

/** The webhooks of a cluster, and the API key of the caller, which owns what it creates. */
export function hookAccess(
  { clusters, keyIdOf }: OperationContext,
  request: FastifyRequest,
  env: string | undefined,
): { readonly hooks: ClusterHooks; readonly owner: string } {
  const cluster = clusters.requireLoaded(env);
  if (cluster.recording === undefined) throw missingHistory(cluster);
  const owner = keyIdOf(request);
  if (owner === undefined) throw new CodedError('API_KEY_REQUIRED', {});
  return { hooks: cluster.recording.hooks, owner };
}

import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { formatMetrics } from '../../http/prometheus-text.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { registerClusterMetrics } from './cluster-metrics.ts';

export const getMetrics: OperationPlugin = (context) => {
  const { metrics, collectMetrics = async () => metrics.read() } = context;
  registerClusterMetrics(context);
  return async (app) => {
    app.get(
      '/metrics',
      defineOperation(
        {
          operationId: 'getMetrics',
          tag: 'operations',
          summary: 'Process metrics in the Prometheus text format',
          description:
            'Slots, readiness, endpoints, history, database, requests and their duration, event loop lag, caches, rate limits and API keys. The guide to operations lists all metrics.',
          weight: 0,
          ignoresMinContextSlot: true,
          statuses: [500],
          mediaType: 'text/plain',
        },
        { response: Type.String() },
      ),
      async (_request, reply) => {
        reply.type('text/plain; version=0.0.4; charset=utf-8');
        return formatMetrics(await collectMetrics());
      },
    );
  };
};

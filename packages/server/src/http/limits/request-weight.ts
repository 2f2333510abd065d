import type { FastifyRequest } from 'fastify';

/** Of an operation that states none; those that compute much state their `weight`. */
const DEFAULT_WEIGHT = 1;

/** The units of a call that computes nothing if its operation caches parts of a response, otherwise all. */
export const leastWeight = (request: FastifyRequest): number =>
  request.routeOptions.config.operation?.cachedWeightOf?.(request.query) ?? fullWeight(request);

/** The units of a call that computes everything. */
export function fullWeight({ routeOptions, query }: FastifyRequest): number {
  const { operation } = routeOptions.config;
  return operation?.weightOf?.(query) ?? operation?.weight ?? DEFAULT_WEIGHT;
}

import type { EndpointHealth } from './endpoint-health.ts';

type RankOptions = {
  readonly lags: (endpoint: EndpointHealth) => boolean;
  /** Whether the request checks what the usual endpoint said. */
  readonly isCheck: boolean;
};

/**
 * The endpoints that may be used, best first. Those that failed or lag come last; then by latency, then by configured
 * order.
 */
export function rankEndpoints(
  endpoints: readonly EndpointHealth[],
  { lags, isCheck }: RankOptions,
): readonly EndpointHealth[] {
  const rank = (endpoint: EndpointHealth) =>
    (endpoint.isInCooldown ? 10_000 : 0) + (lags(endpoint) ? 1_000 : 0) + endpoint.latencyRank;
  const ranked = endpoints.filter(({ isLeftOut }) => !isLeftOut).sort((a, b) => rank(a) - rank(b));
  return isCheck ? putUsualLast(ranked, lags) : ranked;
}

/** Of the endpoints that work, the one that requests usually go to comes last, so that another one checks what it said. */
function putUsualLast(
  ranked: readonly EndpointHealth[],
  lags: (endpoint: EndpointHealth) => boolean,
): readonly EndpointHealth[] {
  const [usual, ...others] = ranked;
  if (usual === undefined) return ranked;
  const works = (endpoint: EndpointHealth) => !endpoint.isInCooldown && !lags(endpoint);
  return [...others.filter(works), usual, ...others.filter((each) => !works(each))];
}

import type { EndpointHealth } from './endpoint-health.ts';

/** Of the endpoints that work, the one that requests usually go to comes last, so that another one checks what it said. */
export function putUsualLast(
  ranked: readonly EndpointHealth[],
  lags: (endpoint: EndpointHealth) => boolean,
): readonly EndpointHealth[] {
  const [usual, ...others] = ranked;
  if (usual === undefined) return ranked;
  const works = (endpoint: EndpointHealth) => !endpoint.isInCooldown && !lags(endpoint);
  return [...others.filter(works), usual, ...others.filter((each) => !works(each))];
}

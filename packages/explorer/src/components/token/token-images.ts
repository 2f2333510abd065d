import { apiRequest, useResource } from '../../api/resource.ts';

/** Whether the operator lets the page load images of other hosts. */
const isAllowed =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="tidegate-images"]')?.content ===
  'allowed';

/** The image of a token; undefined if it has none, or if none may be loaded. The catalogue is read once. */
export function useTokenImage(mint: string): string | undefined {
  const { data } = useResource(isAllowed ? apiRequest('GET /tokens-api/tokens') : undefined, {
    pollMs: 0,
  });
  const url = data?.find((token) => token.mint === mint)?.logoUrl;
  return url?.startsWith('https:') ? url : undefined;
}

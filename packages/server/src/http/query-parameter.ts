/** Reads the first value of a query parameter from a raw URL. */
export function readQueryParameter(url: string, name: string): string | undefined {
  const mark = url.indexOf('?');
  if (mark === -1) return undefined;
  return new URLSearchParams(url.slice(mark + 1)).get(name) ?? undefined;
}

import type { SlotNumber, UntypedParameters } from './operation-types.ts';

/** The segment of lending markets in the paths of the document. A server can serve it under another name. */
const MARKET_SEGMENT = /(^|\/)svc-market(?=\/|$)/;

type UrlParts = Pick<UntypedParameters, 'path' | 'query'> & {
  /** Method and path template. */
  readonly operation: string;
  readonly baseUrl: string;
  readonly marketSegment: string;
  readonly minContextSlot: bigint | undefined;
};

/** The address of a call, or the name of the path parameter that it lacks. */
export function buildUrl(parts: UrlParts): { readonly url: string } | { readonly missing: string } {
  const { operation, path = {}, query = {}, baseUrl, minContextSlot } = parts;
  const template = operation.slice(operation.indexOf(' ') + 1);
  let missing: string | undefined;
  const filled = template
    .replace(MARKET_SEGMENT, `$1${encodeURIComponent(parts.marketSegment)}`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = path[name];
      // `.` and `..` would name another path
      if (value === undefined || /^\.{0,2}$/.test(String(value))) missing ??= name;
      return encodeURIComponent(String(value));
    });
  if (missing !== undefined) return { missing };
  const url = new URL(`.${filled}`, asFolder(baseUrl));
  for (const [name, value] of Object.entries(query)) appendValues(url, name, value);
  if (minContextSlot !== undefined) url.searchParams.set('minContextSlot', String(minContextSlot));
  return { url: url.href };
}

/** With one slash at the end. */
function asFolder(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return `${url.slice(0, end)}/`;
}

/** A list is a repeated parameter; an undefined value is left out. */
function appendValues(url: URL, name: string, value: unknown): void {
  for (const each of Array.isArray(value) ? value : [value]) {
    if (each !== undefined) url.searchParams.append(name, String(each));
  }
}

/** Undefined for anything but a slot number. */
export function parseSlot(slot: SlotNumber): bigint | undefined {
  const text = String(slot);
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

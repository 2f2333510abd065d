import type { Admission } from './auth/authenticator.ts';

/** Responses never depend on browser credentials, so any origin may read them. */
export const staticResponseHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  '*',
  'x-content-type-options',
  'nosniff',
];

/** Headers of a CORS preflight response. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
    'access-control-allow-headers':
      'authorization, content-type, if-none-match, last-event-id, x-api-key, x-min-context-slot, x-request-id',
    'access-control-max-age': '86400',
  };
}

/** Headers of every response, as a flat list: name, value, name, value. */
export function commonHeaders(
  requestId: string,
  admission: Admission | undefined,
  freshness: readonly string[],
): string[] {
  const headers = ['x-request-id', requestId, ...staticResponseHeaders, ...freshness];
  if (admission?.policy !== undefined) {
    headers.push('ratelimit-policy', admission.policy.field, 'ratelimit', admission.field);
  }
  return headers;
}

/** Formats a flat list as header lines of an HTTP message. */
export function formatHeaderLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < headers.length; index += 2) {
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return lines;
}

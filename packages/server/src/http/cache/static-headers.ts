import type { ServerResponse } from 'node:http';
import type { Admission } from '../auth/authenticator.ts';
import { formatHeaderLines, staticResponseHeaders } from '../response-headers.ts';

/** Up to here one string of head and body is sent faster than the two, though it is copied. */
const SHORT_BYTES = 8 * 1024;

/** Status line and headers of a kept answer as text, made once but for what differs between requests. */
export class StaticHeaders {
  readonly #fixed: string;

  /** `own` as name, value, name, value. */
  constructor(own: readonly string[], keepAliveSeconds: number) {
    const lines = formatHeaderLines([...staticResponseHeaders, ...own]);
    const alive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`;
    this.#fixed = `HTTP/1.1 200 OK\r\n${lines}${alive}`;
  }

  /** `freshness` as lines. */
  text(requestId: string, admission: Admission, freshness: string): string {
    const { policy, field } = admission;
    const limit =
      policy === undefined ? '' : `ratelimit-policy: ${policy.field}\r\nratelimit: ${field}\r\n`;
    return `${this.#fixed}x-request-id: ${requestId}\r\n${limit}${freshness}Date: ${dateText()}\r\n\r\n`;
  }
}

type NodeResponse = ServerResponse & { _header?: string | null };

/** A body whose bytes are known, with the same bytes as characters if they are few. */
export type StaticBody = { readonly body: Buffer; readonly text: string | undefined };

export function createStaticBody(body: Buffer): StaticBody {
  return { body, text: body.length > SHORT_BYTES ? undefined : body.toString('latin1') };
}

/**
 * Sends an answer under a head that is text already. Node's `writeHead` checks and joins a dozen constant headers each
 * time, which is a tenth of a hot read; it keeps the result in `_header`, which it sends as latin1, and that is where
 * this puts it; the body too if it is short, so that all is one write. False, and nothing done, where Node has no such
 * field: then the usual way is to be taken.
 */
export function sendStaticResponse(
  response: NodeResponse,
  head: string,
  { body, text }: StaticBody,
): boolean {
  if (response._header !== null) return false;
  if (text === undefined) {
    response._header = head;
    response.end(body);
  } else {
    response._header = head + text;
    response.end();
  }
  return true;
}

let dateSecond = -1;
let date = '';

/** The `Date` header, made once a second. */
function dateText(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
}

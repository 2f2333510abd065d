import type { ServerResponse } from 'node:http';
import type { Admission } from './admission.ts';
import { everywhere } from './headers.ts';

/** Status line and headers of a kept answer as text, made once but for what differs between requests. */
export class PreparedHead {
  readonly #fixed: string;

  /** `own` as name, value, name, value. */
  constructor(own: readonly string[], keepAliveSeconds: number) {
    const lines = toLines([...everywhere, ...own]);
    const alive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`;
    this.#fixed = `HTTP/1.1 200 OK\r\n${lines}${alive}`;
  }

  text(requestId: string, admission: Admission, freshness: readonly string[]): string {
    const { policy, field } = admission;
    const limit =
      policy === undefined ? '' : `ratelimit-policy: ${policy.field}\r\nratelimit: ${field}\r\n`;
    const fresh = freshness.length === 0 ? '' : toLines(freshness);
    return `${this.#fixed}x-request-id: ${requestId}\r\n${limit}${fresh}Date: ${dateText()}\r\n\r\n`;
  }
}

type NodeResponse = ServerResponse & { _header?: string | null };

/**
 * Sends an answer under a head that is text already. Node's `writeHead` checks and joins a dozen constant
 * headers each time, which is a tenth of a hot read; it keeps the result in `_header`, and that is where
 * this puts it. False, and nothing done, where Node has no such field: then the usual way is to be taken.
 */
export function sendPrepared(response: NodeResponse, head: string, body: Buffer): boolean {
  if (response._header !== null) return false;
  response._header = head;
  response.end(body);
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

function toLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < headers.length; index += 2) {
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return lines;
}

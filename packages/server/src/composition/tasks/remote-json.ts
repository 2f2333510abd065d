import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatError } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { fetchDocument } from '../../registry/fetch-document.ts';
import { readLimitedText } from '../../registry/limited-text.ts';

const MAX_ATTEMPTS = 6;
const MAX_RETRY_DELAY_MS = 60_000;
const TIMEOUT_MS = 60_000;
/** Far above the longest response of a compatible API. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Requests a path of another instance. Retries while it is busy, after the delay that it requests. */
export async function getRemoteJson(
  base: URL,
  path: string,
  maxBytes = MAX_RESPONSE_BYTES,
): Promise<unknown> {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetchDocument(url, { headers: {}, signal }).catch((error: unknown) =>
      formatError(error),
    );
    if (typeof response !== 'string' && response.status === 200) {
      return await parseBody(url, response.body, maxBytes);
    }
    if (typeof response !== 'string') response.body.destroy();
    const status = typeof response === 'string' ? response : `status ${response.status}`;
    const isTemporary =
      typeof response === 'string' || response.status === 429 || response.status >= 500;
    if (!isTemporary || attempt === MAX_ATTEMPTS) throw unavailable(url, status);
    const retryAfterSeconds =
      typeof response === 'string' ? 0 : Number(response.headers['retry-after'] ?? 0);
    const ms = Math.max(retryAfterSeconds * 1000 || 0, 250 * 2 ** attempt);
    await sleep(Math.min(ms, MAX_RETRY_DELAY_MS));
  }
}

async function parseBody(url: URL, body: Readable, maxBytes: number): Promise<unknown> {
  try {
    return JSON.parse(await readLimitedText(body, maxBytes));
  } catch (error) {
    throw unavailable(url, formatError(error), error);
  }
}

const unavailable = (url: URL, problem: string, cause?: unknown): CodedError =>
  new CodedError(
    'SOURCE_UNAVAILABLE',
    { source: url.host, reason: `${problem} for ${url.pathname}` },
    cause,
  );

import type { IncomingMessage } from 'node:http';
import { formatError } from '@tidegate/core/base';
import { type Network, resolveAddresses, sendToAddresses } from '../registry/pinned-request.ts';

/** What the log shows of a response. The rest is not read. */
const RESPONSE_BYTES = 1_024;

type WebhookRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly network: Network;
  /** Whether the receiver may be on this machine or in its network. */
  readonly allowsPrivate: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type WebhookResponse = {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly retryAfter: string | undefined;
};

/**
 * Sends a signed body. Resolves also if it fails. A redirect is a failure: its target was not checked, and the caller
 * who named the URL can name another one.
 */
export async function postWebhook(request: WebhookRequest): Promise<WebhookResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([timeout, request.signal]);
  try {
    const url = new URL(request.url);
    const addresses = await rejectOnAbort(findReceiver(url, request), signal);
    const { headers, body } = request;
    const response = await sendToAddresses(url, addresses, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'tidegate',
      },
      body,
      signal,
    });
    const text = await readStart(response);
    const { statusCode = 0, headers: received } = response;
    const error = isSuccess(statusCode) ? null : `it responded with ${statusCode}`;
    return { status: statusCode, error, response: text, retryAfter: received['retry-after'] };
  } catch (thrown) {
    const error = timeout.aborted
      ? `it did not respond within ${request.timeoutMs / 1_000} s`
      : formatError(thrown);
    return { status: null, error, response: null, retryAfter: undefined };
  }
}

export const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** Addresses that may be connected to. They are resolved for each attempt, and the connection uses only these. */
async function findReceiver(
  url: URL,
  { network, allowsPrivate }: WebhookRequest,
): Promise<readonly string[]> {
  const addresses = await resolveAddresses(url, network);
  const allowed = allowsPrivate
    ? addresses
    : addresses.filter((address) => !network.isPrivate(address));
  if (allowed.length === 0) throw new Error(`${url.hostname} has a private address`);
  return allowed;
}

/** A lookup of a name cannot be aborted. */
async function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw new Error('the delivery was aborted');
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the delivery was aborted'));
    signal.addEventListener('abort', stop, { once: true });
  });
  return await Promise.race([work, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
}

/** The first bytes of the body as text, without characters that PostgreSQL does not store. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    chunks.push(bytes);
    length += bytes.length;
    if (length >= RESPONSE_BYTES) break;
  }
  response.destroy();
  const start = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES);
  return start.toString('utf8').replaceAll('\0', '�');
}

import { textOperations } from '../generated/operations.ts';
import { readFreshness } from './freshness.ts';
import type { SlotNumber, UntypedParameters } from './operation-types.ts';
import { createDeadline, pause } from './pause.ts';
import { readError } from './read-error.ts';
import { buildUrl, parseSlot } from './request-url.ts';
import { type ApiError, failure, localError, type Result } from './result.ts';
import { isRepeatable, retryDelayMs } from './retry-delay.ts';

/** The options of a client with their defaults. */
export type CallSettings = {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxRetryWaitMs: number;
  readonly minContextSlot: SlotNumber | undefined;
  readonly marketSegment: string;
  readonly parseJson: (json: string) => unknown;
  readonly maxResponseBytes: number;
};

/** The data of an answer that is not sent again, because the caller has it. */
export const UNCHANGED = Symbol('unchanged');

/** With problem details, every error of the server has a code. Servers without them answer with JSON. */
const ACCEPT = 'application/json, application/problem+json';

/** Operations whose answers have no data of a cluster, so that they do not wait for a slot. */
const WITHOUT_SLOT = /^\w+ \/(health|ready|status|metrics|openapi\.json|hooks)(\/|$)/;

/** Sends a call, and repeats it if that is safe and the error may pass. */
export async function sendCall(
  operation: string,
  parameters: UntypedParameters,
  settings: CallSettings,
): Promise<Result<unknown>> {
  const { signal, retries = settings.retries } = parameters;
  const limit = isRepeatable(operation) ? retries : 0;
  for (let attempt = 0; ; attempt += 1) {
    const result = await sendOnce(operation, parameters, settings);
    if (result.ok || attempt >= limit) return result;
    const waitMs = retryDelayMs(result.error, attempt);
    if (waitMs === undefined || waitMs > settings.maxRetryWaitMs) return result;
    if (!(await pause(waitMs, signal))) return failure(abortError(signal));
  }
}

async function sendOnce(
  operation: string,
  parameters: UntypedParameters,
  settings: CallSettings,
): Promise<Result<unknown>> {
  const request = prepareRequest(operation, parameters, settings);
  if ('error' in request) return failure(request.error);
  const { signal, timeoutMs = settings.timeoutMs } = parameters;
  const deadline = createDeadline(timeoutMs, signal);
  try {
    const { url, init, minContextSlot } = request;
    const response = await settings.fetch(url, { ...init, signal: deadline.signal });
    const text = await readText(response, settings.maxResponseBytes);
    const { parseJson } = settings;
    const isUnchanged = response.status === 304 && parameters.etag !== undefined;
    if (!response.ok && !isUnchanged) {
      return failure(readError({ response, text, parseJson, now: Date.now() }));
    }
    return readSuccess({ operation, response, text, minContextSlot, parseJson });
  } catch (error) {
    if (signal?.aborted) return failure(abortError(signal));
    if (error instanceof TooLargeError) return failure(localError('malformed', error.message));
    if (deadline.hasPassed()) {
      return failure(localError('timeout', `No answer within ${timeoutMs} ms.`, error));
    }
    return failure(localError('network', noAnswer(settings), error));
  } finally {
    deadline.release();
  }
}

type PreparedRequest = {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string> } & {
    readonly body?: string;
  };
  readonly minContextSlot: bigint | undefined;
};

/** Address, headers and body of a call, or why it cannot be sent. */
export function prepareRequest(
  operation: string,
  parameters: UntypedParameters,
  settings: CallSettings,
): PreparedRequest | { readonly error: ApiError } {
  const { path, query, body, etag, minContextSlot: slot = settings.minContextSlot } = parameters;
  const needsSlot = slot !== undefined && !WITHOUT_SLOT.test(operation);
  const minContextSlot = needsSlot ? parseSlot(slot) : undefined;
  if (needsSlot && minContextSlot === undefined) {
    return { error: localError('invalid', `minContextSlot ${slot} is not a slot number.`) };
  }
  const { baseUrl, marketSegment, apiKey } = settings;
  const parts = { operation, baseUrl, marketSegment, minContextSlot };
  const built = buildUrl({ ...parts, ...(path && { path }), ...(query && { query }) });
  if ('missing' in built) {
    return { error: localError('invalid', `The path parameter ${built.missing} is missing.`) };
  }
  const headers: Record<string, string> = { accept: ACCEPT };
  // a redirect to another origin drops this header, which it would not do with x-api-key
  if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (etag !== undefined) headers['if-none-match'] = etag;
  const method = operation.slice(0, operation.indexOf(' '));
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return { url: built.url, init, minContextSlot };
}

type ReceivedResponse = {
  readonly operation: string;
  readonly response: Response;
  readonly text: string;
  readonly minContextSlot: bigint | undefined;
  readonly parseJson: CallSettings['parseJson'];
};

function readSuccess(received: ReceivedResponse): Result<unknown> {
  const { operation, response, text, minContextSlot, parseJson } = received;
  const { headers } = response;
  const freshness = readFreshness(headers);
  const { slot } = freshness;
  if (minContextSlot !== undefined && (slot === undefined || slot < minContextSlot)) {
    const has = slot === undefined ? 'does not name its slot' : `is of slot ${slot}`;
    const message = `The answer ${has}, and slot ${minContextSlot} is required.`;
    return failure(localError('stale', message));
  }
  if (response.status === 304) return { ok: true, data: UNCHANGED, freshness, headers };
  if (isTextOperation(operation)) return { ok: true, data: text, freshness, headers };
  try {
    return { ok: true, data: text === '' ? undefined : parseJson(text), freshness, headers };
  } catch (error) {
    const type = headers.get('content-type') ?? 'no content type';
    return failure(localError('malformed', `The answer is not JSON (${type}).`, error));
  }
}

class TooLargeError extends Error {}

/** Throws a `TooLargeError` before more than the limit is in memory. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  if (maxBytes === Number.POSITIVE_INFINITY) return response.text();
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return text + decoder.decode();
    size += chunk.value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new TooLargeError(`The answer has more than ${maxBytes} bytes.`);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
}

export const noAnswer = ({ baseUrl }: CallSettings): string =>
  `${new URL(baseUrl).host} does not answer.`;

const isTextOperation = (operation: string): boolean =>
  textOperations.some((name) => name === operation);

const abortError = (signal: AbortSignal | undefined): ApiError =>
  localError('aborted', 'The call was aborted.', signal?.reason);

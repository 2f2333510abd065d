const SEPARATORS = { spaceDelimited: '%20', pipeDelimited: '|' };
const BODYLESS = new Set(['get', 'head']);

const encodeAll = (values) => values.map((value) => encodeURIComponent(value));

const queryOf = ({ parameter, values }) => {
  const name = encodeURIComponent(parameter.name);
  const style = parameter.style ?? 'form';
  const explode = parameter.explode ?? style === 'form';
  if (explode) return encodeAll(values).map((value) => `${name}=${value}`);
  return [`${name}=${encodeAll(values).join(SEPARATORS[style] ?? ',')}`];
};

const fillPath = (path, entries) =>
  entries.reduce(
    (filled, { parameter, values }) =>
      filled.replaceAll(`{${parameter.name}}`, () => encodeAll(values).join(',')),
    path,
  );

const NUMERIC = new Set(['integer', 'number']);

/** A value of the form as the client expects it: a number, a boolean, a string or a list of strings. */
const argumentOf = ({ parameter, values }) => {
  const [text] = values;
  const type = parameter.schema?.type;
  if (NUMERIC.has(type) && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean') return text === 'true';
  return values.length === 1 ? text : values;
};

/** Arguments of a call, by name; undefined if there are none. */
const argumentsOf = (entries) =>
  entries.length === 0
    ? undefined
    : Object.fromEntries(entries.map((entry) => [entry.parameter.name, argumentOf(entry)]));

/**
 * Builds a request. `entries` are `{ parameter, values }` with at least one value. A path variable
 * without a value stays in braces.
 */
export const buildRequest = ({ base, operation, entries, body, mediaType, apiKey }) => {
  const entriesIn = (location) => entries.filter(({ parameter }) => parameter.in === location);
  const query = entriesIn('query').flatMap(queryOf).join('&');
  const path = fillPath(operation.path, entriesIn('path')).replace(/^\//, '');
  const sendsBody = body !== undefined && body !== '' && !BODYLESS.has(operation.method);
  const headers = entriesIn('header').map(({ parameter, values }) => [
    parameter.name,
    values.join(', '),
  ]);
  if (sendsBody) headers.push(['content-type', mediaType]);
  return {
    method: operation.method.toUpperCase(),
    url: `${base}${path}${query && '?'}${query}`,
    headers,
    body: sendsBody ? body : undefined,
    isJson: operation.isJson,
    apiKey,
    // for the client of the API
    base,
    template: operation.path,
    path: argumentsOf(entriesIn('path')),
    query: argumentsOf(entriesIn('query')),
  };
};

const failure = (message) => ({ failure: message });

const prepare = ({ method, url, headers, body, apiKey }, signal) => {
  const all = apiKey ? [...headers, ['x-api-key', apiKey]] : headers;
  return new Request(url, { method, headers: all, body, signal, cache: 'no-store' });
};

/** A stream does not end: what arrives within this time is shown. */
const STREAM_MS = 3_000;

const readBytes = async (response) => {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const timer = setTimeout(() => reader.cancel(), STREAM_MS);
  const chunks = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
  }
  clearTimeout(timer);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
};

const readResponse = async (response, startedAt) => {
  const bytes = await readBytes(response);
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: [...response.headers],
    type: response.headers.get('content-type') ?? '',
    redirectedTo: response.redirected ? response.url : undefined,
    bytes,
  };
};

/** Sends a request. Resolves to the response or to `{ failure }` with a message; never rejects. */
export const send = async (request, signal) => {
  let prepared;
  try {
    prepared = prepare(request, signal);
  } catch (error) {
    return failure(`This request cannot be sent: ${error.message}.`);
  }
  const startedAt = performance.now();
  try {
    return await readResponse(await fetch(prepared), startedAt);
  } catch {
    const milliseconds = Math.round(performance.now() - startedAt);
    if (signal.aborted) return failure(`Cancelled after ${milliseconds} ms.`);
    return failure(
      `No response from ${new URL(request.url).origin} (${milliseconds} ms). The server may be ` +
        'down, the network may be interrupted, or a proxy may have closed the connection.',
    );
  }
};

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
  };
};

const failure = (message) => ({ failure: message });

const prepare = ({ method, url, headers, body, apiKey }, signal) => {
  const all = apiKey ? [...headers, ['x-api-key', apiKey]] : headers;
  return new Request(url, { method, headers: all, body, signal, cache: 'no-store' });
};

const readResponse = async (response, startedAt) => {
  const bytes = new Uint8Array(await response.arrayBuffer());
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

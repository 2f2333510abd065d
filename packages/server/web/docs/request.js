const SEPARATORS = { spaceDelimited: '%20', pipeDelimited: '|' };
const BODYLESS = new Set(['get', 'head']);

const encoded = (values) => values.map((value) => encodeURIComponent(value));

const queryOf = ({ parameter, values }) => {
  const name = encodeURIComponent(parameter.name);
  const style = parameter.style ?? 'form';
  const explode = parameter.explode ?? style === 'form';
  if (explode) return encoded(values).map((value) => `${name}=${value}`);
  return [`${name}=${encoded(values).join(SEPARATORS[style] ?? ',')}`];
};

const filledPath = (path, entries) =>
  entries.reduce(
    (filled, { parameter, values }) =>
      filled.replaceAll(`{${parameter.name}}`, () => encoded(values).join(',')),
    path,
  );

/**
 * The request for the values given: `entries` are `{ parameter, values }` with at least one value.
 * A path variable without a value stays in braces.
 */
export const buildRequest = ({ base, operation, entries, body, mediaType, apiKey }) => {
  const within = (place) => entries.filter(({ parameter }) => parameter.in === place);
  const query = within('query').flatMap(queryOf).join('&');
  const path = filledPath(operation.path, within('path')).replace(/^\//, '');
  const sendsBody = body !== undefined && body !== '' && !BODYLESS.has(operation.method);
  const headers = within('header').map(({ parameter, values }) => [
    parameter.name,
    values.join(', '),
  ]);
  if (sendsBody) headers.push(['content-type', mediaType]);
  return {
    method: operation.method.toUpperCase(),
    url: `${base}${path}${query && '?'}${query}`,
    headers,
    body: sendsBody ? body : undefined,
    apiKey,
  };
};

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The key stands as a shell variable: it lands neither on the page nor in the clipboard. */
export const curlLine = ({ method, url, headers, body, apiKey }) => {
  const parts = [`curl ${quoted(url)}`];
  const implied = body === undefined ? 'GET' : 'POST';
  if (method === 'HEAD') parts.push('--head');
  else if (method !== implied) parts.push(`-X ${method}`);
  for (const [name, value] of headers) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (apiKey) parts.push('-H "x-api-key: $API_KEY"');
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(' \\\n  ');
};

const failure = (words) => ({ failure: words });

const prepare = ({ method, url, headers, body, apiKey }, signal) => {
  const all = apiKey ? [...headers, ['x-api-key', apiKey]] : headers;
  return new Request(url, { method, headers: all, body, signal, cache: 'no-store' });
};

const answerOf = async (response, started) => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers],
    type: response.headers.get('content-type') ?? '',
    redirectedTo: response.redirected ? response.url : undefined,
    bytes,
  };
};

/** Sends a request; resolves to an answer or to `{ failure }` in words, never rejects. */
export const send = async (request, signal) => {
  let prepared;
  try {
    prepared = prepare(request, signal);
  } catch (error) {
    return failure(`This request cannot be made: ${error.message}.`);
  }
  const started = performance.now();
  try {
    return await answerOf(await fetch(prepared), started);
  } catch {
    const milliseconds = Math.round(performance.now() - started);
    if (signal.aborted) return failure(`Cancelled after ${milliseconds} ms.`);
    return failure(
      `No answer from ${new URL(request.url).origin} (${milliseconds} ms). The server may be ` +
        'down, the network cut, or a proxy may have closed the connection.',
    );
  }
};

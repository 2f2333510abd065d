import { copyButton, el } from './dom.js';
import { indentJson, isJson, limitPieces } from './json-text.js';

const MAX_SHOWN_LENGTH = 200 * 1024;
const MAX_COLORED_LENGTH = 64 * 1024;
const TEXT_TYPE = /^text\/|json|xml|javascript|yaml|csv|urlencoded/;

const formatSize = (bytes) => {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
};

const statusClass = (status) => {
  if (status < 300) return 'good';
  return status < 400 ? 'moved' : 'bad';
};

/** Status, time and size in one line, which screen readers announce. */
export const responseSummaryNodes = (response) => {
  if (response.failure) return [el('span', { class: 'response-failure' }, response.failure)];
  const status = `${response.status} ${response.statusText}`.trim();
  return [
    el('strong', { class: `status status-${statusClass(response.status)}` }, status),
    el('span', {}, `${response.milliseconds} ms`),
    el('span', { title: `${response.bytes.length} bytes` }, formatSize(response.bytes.length)),
  ];
};

const headerTable = (headers) =>
  el(
    'details',
    { class: 'response-headers' },
    el('summary', {}, `Response headers (${headers.length})`),
    el(
      'dl',
      {},
      headers.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
    ),
  );

const pieceNode = ([kind, text]) =>
  kind === 'plain' ? text : el('span', { class: `json-${kind}` }, text);

const codeOf = (text, type) => {
  const json = type.includes('json') && isJson(text);
  const pieces = json ? indentJson(text) : [['plain', text]];
  const { limited, isCut } = limitPieces(pieces, MAX_SHOWN_LENGTH);
  const length = limited.reduce((sum, [, piece]) => sum + piece.length, 0);
  const isColored = json && length <= MAX_COLORED_LENGTH;
  const code = el(
    'code',
    {},
    isColored ? limited.map(pieceNode) : limited.map(([, t]) => t).join(''),
  );
  return { code, isCut };
};

const textBody = (text, response, title = 'Answer') => {
  const { code, isCut } = codeOf(text, response.type);
  return [
    el('div', { class: 'bar' }, el('h3', {}, title), copyButton('Copy the answer', code)),
    isCut &&
      el(
        'p',
        { class: 'note' },
        `Shows the first 200 KB of ${formatSize(response.bytes.length)}. ` +
          'The curl command fetches all of it.',
      ),
    el('pre', { class: 'response-body', tabindex: 0, 'aria-label': title }, code),
  ];
};

const imageOf = (text) =>
  el('img', {
    class: 'response-image',
    src: `data:image/svg+xml,${encodeURIComponent(text)}`,
    alt: 'SVG image of the response',
  });

const bodyNodes = (response) => {
  if (response.bytes.length === 0) return el('p', { class: 'note' }, 'The response has no body.');
  if (response.type && !TEXT_TYPE.test(response.type)) {
    return el(
      'p',
      { class: 'note' },
      `The body is ${response.type}, which this page does not show.`,
    );
  }
  const text = new TextDecoder().decode(response.bytes);
  return [response.type.includes('svg') && imageOf(text), textBody(text, response)];
};

const MAX_STRING = 160;

const shortenString = (_key, value) =>
  typeof value === 'string' && value.length > MAX_STRING ? `${value.slice(0, 60)}…` : value;

/** A recorded answer. Long strings, such as the bytes of an account, are shortened. */
export const sampleNodes = ({ type, example }) => {
  const text = typeof example === 'string' ? example : JSON.stringify(example, shortenString);
  return [
    type.includes('svg') && imageOf(text),
    ...textBody(text, { type, bytes: [] }, 'Sample answer'),
    el('p', { class: 'note' }, 'Recorded on the embedded cluster. Lists are cut to two items.'),
  ]
    .flat(Infinity)
    .filter(Boolean);
};

/** Headers and body of a response; nothing for a failure. */
export const responseNodes = (response) => {
  if (response.failure) return [];
  return [
    response.redirectedTo && el('p', { class: 'note' }, `Redirected to ${response.redirectedTo}`),
    headerTable(response.headers),
    bodyNodes(response),
  ]
    .flat(Infinity)
    .filter(Boolean);
};

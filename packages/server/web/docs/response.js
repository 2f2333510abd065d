import { copyButton, el } from './dom.js';
import { indentedJson, isJson, takePieces } from './json-text.js';

const SHOWN_LIMIT = 200 * 1024;
const COLOURED_LIMIT = 64 * 1024;
const TEXT_TYPE = /^text\/|json|xml|javascript|yaml|csv|urlencoded/;

const sizeWords = (bytes) => {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
};

const statusClass = (status) => {
  if (status < 300) return 'good';
  return status < 400 ? 'moved' : 'bad';
};

/** The outcome in one line: what is read aloud when the answer comes. */
export const outcomeNodes = (answer) => {
  if (answer.failure) return [el('span', { class: 'answer-failure' }, answer.failure)];
  const words = `${answer.status} ${answer.statusText}`.trim();
  return [
    el('strong', { class: `status status-${statusClass(answer.status)}` }, words),
    el('span', {}, `${answer.milliseconds} ms`),
    el('span', { title: `${answer.bytes.length} bytes` }, sizeWords(answer.bytes.length)),
  ];
};

const headerTable = (headers) =>
  el(
    'details',
    { class: 'answer-headers' },
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
  const pieces = json ? indentedJson(text) : [['plain', text]];
  const { taken, cut } = takePieces(pieces, SHOWN_LIMIT);
  const length = taken.reduce((sum, [, piece]) => sum + piece.length, 0);
  const coloured = json && length <= COLOURED_LIMIT;
  const code = el('code', {}, coloured ? taken.map(pieceNode) : taken.map(([, t]) => t).join(''));
  return { code, cut };
};

const textBody = (text, answer) => {
  const { code, cut } = codeOf(text, answer.type);
  return [
    el('div', { class: 'bar' }, el('h5', {}, 'Body'), copyButton('Copy the body', code)),
    cut &&
      el(
        'p',
        { class: 'note' },
        `Cut off after 200 KB; the whole answer is ${sizeWords(answer.bytes.length)}. ` +
          'The curl line fetches all of it.',
      ),
    el('pre', { class: 'answer-body', tabindex: 0, 'aria-label': 'Answer body' }, code),
  ];
};

const imageOf = (text) =>
  el('img', {
    class: 'answer-image',
    src: `data:image/svg+xml,${encodeURIComponent(text)}`,
    alt: 'The SVG that was answered',
  });

const bodyNodes = (answer) => {
  if (answer.bytes.length === 0) return el('p', { class: 'note' }, 'The answer has no body.');
  if (answer.type && !TEXT_TYPE.test(answer.type)) {
    return el('p', { class: 'note' }, `The body is ${answer.type}, which is not shown here.`);
  }
  const text = new TextDecoder().decode(answer.bytes);
  return [answer.type.includes('svg') && imageOf(text), textBody(text, answer)];
};

/** Headers and body of an answer; nothing when there was none. */
export const answerNodes = (answer) => {
  if (answer.failure) return [];
  return [
    answer.redirectedTo && el('p', { class: 'note' }, `Redirected to ${answer.redirectedTo}`),
    headerTable(answer.headers),
    bodyNodes(answer),
  ]
    .flat(Infinity)
    .filter(Boolean);
};

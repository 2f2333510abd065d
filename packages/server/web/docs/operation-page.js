import {
  isDepositBuilder,
  loadAddresses,
  withAddresses,
  withBuiltTransaction,
} from './addresses.js';
import { el } from './dom.js';
import { loadDocument, operationsOf } from './openapi.js';
import { tryIt } from './try-it.js';

const BASE = new URL(document.querySelector('meta[name="tidegate-api"]').content, location.href);
const DOCS = new URL('docs/', BASE);
const article = document.querySelector('.operation');
const frame = article.querySelector('.try-it-frame');

/** The part of the API document about this operation. */
const DOCUMENT_URL = new URL(`operations/${article.dataset.operation}.json`, DOCS).href;

const showFailure = (error) => {
  frame
    .querySelector('.loading')
    ?.replaceWith(
      el(
        'div',
        { class: 'failure', role: 'alert' },
        el('h3', {}, 'Cannot load the request form'),
        el('p', {}, error.message),
        el(
          'p',
          {},
          'Check that the server is running and that ',
          el('a', { href: DOCUMENT_URL }, DOCUMENT_URL),
          ' returns JSON. A proxy must forward everything under the same prefix.',
        ),
        el(
          'button',
          { type: 'button', class: 'primary', click: () => location.reload() },
          'Try again',
        ),
      ),
    );
};

const start = async () => {
  const [api, addresses] = await Promise.all([
    loadDocument(DOCUMENT_URL),
    loadAddresses(new URL('addresses.json', DOCS)),
  ]);
  const operations = operationsOf(api).map((each) => withAddresses(each, addresses));
  const found = operations.find(({ id }) => id === article.dataset.operation);
  if (!found) throw new Error('The API document does not have this operation.');
  const builder = operations.find(isDepositBuilder);
  const operation = await withBuiltTransaction(found, builder, BASE);
  frame.replaceWith(tryIt(api, BASE.href, operation));
};

start().catch(showFailure);

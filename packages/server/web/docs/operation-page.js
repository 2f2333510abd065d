import {
  isDepositBuilder,
  loadAddresses,
  withAddresses,
  withBuiltTransaction,
} from './addresses.js';
import { el } from './dom.js';
import { loadDocument, operationsOf } from './openapi.js';
import { operationBody } from './operation.js';

const BASE = new URL(document.querySelector('meta[name="tidegate-api"]').content, location.href);
const DOCS = new URL('docs/', BASE);
const DOCUMENT_URL = new URL('openapi.json', BASE).href;

const article = document.querySelector('.operation');

const showFailure = (error) => {
  article.querySelector('.loading')?.remove();
  article.append(
    el(
      'div',
      { class: 'failure', role: 'alert' },
      el('h2', {}, 'Cannot load the API document'),
      el('p', {}, error.message),
      el(
        'p',
        {},
        'Check that the server is running and that ',
        el('a', { href: DOCUMENT_URL }, DOCUMENT_URL),
        ' returns JSON. A proxy must forward /docs/ and /openapi.json under the same prefix.',
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
  const nodes = operationBody(api, BASE.href, await withBuiltTransaction(found, builder, BASE));
  article.querySelector('.loading').remove();
  article.append(...nodes);
};

start().catch(showFailure);

import { el } from './dom.js';

const STORAGE_NAME = 'tidegate-api-key';
const changes = new EventTarget();

const readStored = () => {
  try {
    return sessionStorage.getItem(STORAGE_NAME) ?? '';
  } catch {
    return '';
  }
};

let current = readStored();

const store = (value) => {
  current = value.trim();
  try {
    if (current) sessionStorage.setItem(STORAGE_NAME, current);
    else sessionStorage.removeItem(STORAGE_NAME);
  } catch {
    // Storage may be disabled. The key then lasts as long as the page.
  }
  changes.dispatchEvent(new Event('change'));
};

export const readApiKey = () => current;

export const onApiKeyChange = (listener) => changes.addEventListener('change', listener);

export const apiKeyForm = () => {
  const input = el('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'page-key-note',
    input: (event) => store(event.target.value),
  });
  input.value = current;
  return el(
    'details',
    { class: 'key-form', open: current !== '' },
    el('summary', {}, 'API key'),
    el(
      'form',
      { submit: (event) => event.preventDefault() },
      el('label', {}, el('span', { class: 'visually-hidden' }, 'API key'), input),
      el(
        'p',
        { id: 'page-key-note', class: 'note' },
        'Sent as x-api-key. Deleted when you close this tab.',
      ),
    ),
  );
};

import { copyButton, el } from './dom.js';
import { SNIPPETS } from './snippets.js';

const STORAGE_NAME = 'tidegate-snippet';

const readStored = () => {
  try {
    return localStorage.getItem(STORAGE_NAME);
  } catch {
    return null;
  }
};

const store = (name) => {
  try {
    localStorage.setItem(STORAGE_NAME, name);
  } catch {
    // Storage may be disabled. The choice then lasts as long as the page.
  }
};

const moves = { ArrowRight: 1, ArrowLeft: -1 };

/** The request in several languages, one at a time. `show` sets the request. */
export const snippetTabs = () => {
  const code = el('code');
  const panel = el('pre', { id: 'snippet', role: 'tabpanel', tabindex: 0 }, code);
  let request;
  let active = Math.max(
    0,
    SNIPPETS.findIndex(([name]) => name === readStored()),
  );
  const render = () => {
    const [name, write] = SNIPPETS[active];
    tabs.forEach((tab, index) => {
      tab.setAttribute('aria-selected', String(index === active));
      tab.tabIndex = index === active ? 0 : -1;
    });
    panel.setAttribute('aria-label', name);
    if (request) code.textContent = write(request);
  };
  const choose = (index) => {
    active = (index + SNIPPETS.length) % SNIPPETS.length;
    store(SNIPPETS[active][0]);
    render();
  };
  const tabs = SNIPPETS.map(([name], index) =>
    el(
      'button',
      { type: 'button', role: 'tab', 'aria-controls': 'snippet', click: () => choose(index) },
      name,
    ),
  );
  const onKey = (event) => {
    if (!(event.key in moves)) return;
    event.preventDefault();
    choose(active + moves[event.key]);
    tabs[active].focus();
  };
  const bar = el('div', { role: 'tablist', 'aria-label': 'Language', keydown: onKey }, tabs);
  render();
  return {
    node: el(
      'div',
      { class: 'snippets' },
      el('div', { class: 'bar' }, bar, copyButton('Copy the code', code)),
      panel,
    ),
    show: (next) => {
      request = next;
      render();
    },
  };
};

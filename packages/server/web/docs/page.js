import { copyButton } from './dom.js';
import { startSearch } from './search.js';
import { startThemeButton } from './theme-button.js';

const nav = document.getElementById('page-nav');
const menuButton = document.getElementById('menu-button');

const setMenu = (isOpen) => {
  document.documentElement.classList.toggle('menu-open', isOpen);
  menuButton.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) nav.focus();
};

const startMenu = () => {
  menuButton.addEventListener('click', () =>
    setMenu(menuButton.getAttribute('aria-expanded') !== 'true'),
  );
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menuButton.getAttribute('aria-expanded') !== 'true') return;
    setMenu(false);
    menuButton.focus();
  });
};

/** Scrolls the navigation, not the page. */
const revealCurrent = () => {
  const link = nav.querySelector('[aria-current]');
  if (link) nav.scrollTop = link.offsetTop - nav.clientHeight / 3;
};

const addCopyButtons = () => {
  for (const code of document.querySelectorAll('.guide pre > code')) {
    const frame = document.createElement('div');
    frame.className = 'code-frame';
    code.parentNode.replaceWith(frame);
    frame.append(code.parentNode, copyButton('Copy the code', code));
  }
};

startMenu();
startSearch();
startThemeButton();
revealCurrent();
addCopyButtons();

import { API_ROOT } from '../api/server.ts';
import { startFrame } from '../frame/start-frame.ts';

/** What every page of the documentation does; its text needs no script. */
startFrame(API_ROOT);

const navigation = document.getElementById('page-nav');
const button = document.getElementById('menu-button');

if (navigation !== null && button !== null) {
  startMenu(navigation, button);
  revealCurrent(navigation);
}

/** On narrow screens the list of guides and operations is behind a button. */
function startMenu(list: HTMLElement, control: HTMLElement): void {
  const isOpen = (): boolean => control.getAttribute('aria-expanded') === 'true';
  const toggle = (opens: boolean): void => {
    document.documentElement.classList.toggle('menu-open', opens);
    control.setAttribute('aria-expanded', String(opens));
    if (opens) list.focus();
  };
  control.addEventListener('click', () => toggle(!isOpen()));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return;
    toggle(false);
    control.focus();
  });
}

/** Scrolls the list, not the page. */
function revealCurrent(list: HTMLElement): void {
  const link = list.querySelector<HTMLElement>('[aria-current]');
  if (link !== null) list.scrollTop = link.offsetTop - list.clientHeight / 3;
}

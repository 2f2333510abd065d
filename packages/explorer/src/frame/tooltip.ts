import './tooltip.css';

const MARGIN = 8;

/**
 * Shows the text of `data-hint` of whatever is under the pointer or has the focus, in one element for the whole page. Unlike
 * `title`, it works by keyboard and by touch.
 */
export function startTooltip(): void {
  const tooltip = document.createElement('div');
  tooltip.className = 'tooltip';
  tooltip.setAttribute('role', 'tooltip');
  tooltip.hidden = true;
  const hide = (): void => {
    tooltip.hidden = true;
  };
  const show = (event: Event): void => {
    const target = event.target instanceof Element ? hintOf(event.target, event.type) : undefined;
    if (target === undefined) hide();
    else showAt(tooltip, target);
  };
  for (const name of ['pointerover', 'focusin']) document.addEventListener(name, show);
  for (const name of ['focusout', 'pointerdown']) document.addEventListener(name, hide);
  window.addEventListener('scroll', hide, { capture: true, passive: true });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
  document.addEventListener('click', show);
}

/** A cell of a table that gets the focus shows the hint of its content. */
function hintOf(target: Element, event: string): HTMLElement | undefined {
  const inside =
    event === 'focusin' && target.matches('td') ? target.querySelector('[data-hint]') : null;
  const found = inside ?? target.closest('[data-hint]');
  return found instanceof HTMLElement && found.dataset['hint'] ? found : undefined;
}

/** Parts of a page that screen readers can jump to. A hint belongs to the one of its target. */
const LANDMARKS = 'main, header, nav, footer, dialog';

function showAt(tooltip: HTMLElement, target: HTMLElement): void {
  const landmark = target.closest(LANDMARKS) ?? document.body;
  if (tooltip.parentElement !== landmark) landmark.append(tooltip);
  tooltip.textContent = target.dataset['hint'] ?? '';
  tooltip.hidden = false;
  const at = target.getBoundingClientRect();
  const { width, height } = tooltip.getBoundingClientRect();
  const left = Math.min(at.left, document.documentElement.clientWidth - width - MARGIN);
  const below = at.bottom + MARGIN / 2;
  const top = below + height > window.innerHeight ? at.top - height - MARGIN / 2 : below;
  tooltip.style.left = `${Math.max(MARGIN, left)}px`;
  tooltip.style.top = `${Math.max(0, top)}px`;
}

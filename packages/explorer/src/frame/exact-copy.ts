/** Copies exact values: in the clipboard, the text of `data-exact` replaces the short form on the page. */
export function startExactCopy(): void {
  document.addEventListener('copy', (event) => {
    const selection = window.getSelection();
    if (selection === null || selection.isCollapsed || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    const { commonAncestorContainer: container } = range;
    const element = container instanceof Element ? container : container.parentElement;
    const around = element?.closest<HTMLElement>('[data-exact]');
    const content = range.cloneContents();
    const shortened = [...content.querySelectorAll<HTMLElement>('[data-exact]')];
    if (!around && shortened.length === 0) return;
    for (const each of shortened) each.textContent = each.dataset['exact'] ?? '';
    event.preventDefault();
    event.clipboardData.setData('text/plain', around?.dataset['exact'] ?? textOf(content));
  });
}

/** Cells are separated by tabs and rows by lines, as spreadsheets expect. */
function textOf(content: DocumentFragment): string {
  for (const cell of content.querySelectorAll('td, th')) cell.append('\t');
  for (const row of content.querySelectorAll('tr, p, li, dd')) row.append('\n');
  return (content.textContent ?? '').replaceAll(/\t?\n\n*/g, '\n').trim();
}

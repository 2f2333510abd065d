export const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
};

const selectText = (node) => getSelection()?.selectAllChildren(node);

/** Copies text. Selects it where the clipboard is not available, which needs https or localhost. */
export const copyButton = (label, source) => {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      selectText(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  };
  const button = el('button', { type: 'button', class: 'copy', click: copy }, 'Copy');
  button.setAttribute('aria-label', label);
  return button;
};

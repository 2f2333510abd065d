const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeText = (text) => String(text).replaceAll(/[&<>"]/g, (each) => ESCAPES[each]);

/** An element as HTML. Other children are text. */
class Markup {
  constructor(html) {
    this.html = html;
  }
}

export const htmlOf = (child) => (child instanceof Markup ? child.html : escapeText(child));

/** Creates the element that `el` of the scripts of the pages creates in a browser. */
export const el = (tag, attributes = {}, ...children) => {
  const entries = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => ` ${name}="${value === true ? '' : escapeText(value)}"`);
  const inner = children.flat(Infinity).filter((child) => child || child === 0);
  return new Markup(`<${tag}${entries.join('')}>${inner.map(htmlOf).join('')}</${tag}>`);
};

export const details = ({ className, summary, content, open = false }) =>
  el('details', { class: className, open }, el('summary', {}, summary), content);

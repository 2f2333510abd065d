import { el } from './markup.js';

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
const SAFE_LINK = /^(?:https?:\/\/|#|\.{0,2}\/)/;

const inlinePiece = ([whole, code, bold, emphasized, text, address]) => {
  if (code) return el('code', {}, code);
  if (bold) return el('strong', {}, bold);
  if (emphasized) return el('em', {}, emphasized);
  return SAFE_LINK.test(address) ? el('a', { href: address, rel: 'noreferrer' }, text) : whole;
};

/** Renders code, emphasis and links of one line of Markdown. */
export const inlineMarkdown = (text) => {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(end, match.index), inlinePiece(match));
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
};

const listOf = (tag, block, marker) =>
  el(
    tag,
    {},
    block
      .split(marker)
      .slice(1)
      .map((item) => el('li', {}, inlineMarkdown(item.trim()))),
  );

const blockNode = (block) => {
  if (block.startsWith('```')) {
    return el('pre', { tabindex: 0 }, block.replace(/^```.*\n?/, '').replace(/\n?```\s*$/, ''));
  }
  if (/^[-*] /.test(block)) return listOf('ul', block, /(?:^|\n)[-*] /);
  if (/^\d+\. /.test(block)) return listOf('ol', block, /(?:^|\n)\d+\. /);
  const heading = /^#{1,6} +(.*)$/.exec(block);
  if (heading) return el('p', { class: 'markdown-heading' }, inlineMarkdown(heading[1]));
  return el('p', {}, inlineMarkdown(block));
};

const STARTS_BLOCK = /^(?:[-*] |\d+\. |#{1,6} |```)/;
const IS_ITEM = /^(?:[-*] |\d+\. )/;

const continuesBlock = (block, line) => {
  if (block === undefined) return false;
  if (block.startsWith('```')) return !block.endsWith('\n```');
  if (line === '' || block === '') return false;
  return STARTS_BLOCK.test(line) ? IS_ITEM.test(line) && IS_ITEM.test(block) : !/^#/.test(block);
};

const blocksOf = (text) => {
  const blocks = [];
  for (const line of text.replaceAll('\r', '').split('\n')) {
    if (continuesBlock(blocks.at(-1), line)) blocks.push(`${blocks.pop()}\n${line}`);
    else blocks.push(line);
  }
  return blocks.filter((block) => block.trim() !== '');
};

/** Renders the subset of Markdown that API descriptions use. */
export const markdown = (text) =>
  text ? el('div', { class: 'markdown' }, blocksOf(String(text)).map(blockNode)) : null;

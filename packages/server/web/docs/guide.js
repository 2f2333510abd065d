import { copyButton } from './dom.js';

for (const code of document.querySelectorAll('.guide pre > code')) {
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  code.parentNode.replaceWith(frame);
  frame.append(code.parentNode, copyButton('Copy the code', code));
}

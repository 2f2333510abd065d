import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly scripts: { readonly start: string };
};
const [, ...parts] = scripts.start.split(' ');

/** Arguments of Node.js in `npm start`, the same flags included. They work in any folder. */
export const startArguments = parts.map((part) =>
  part.endsWith('.js') ? fileURLToPath(new URL(part, root)) : part,
);

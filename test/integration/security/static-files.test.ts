import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExplorer } from '#server/operations/explorer/explorer-files.ts';
import { sendBytes, statusesIn } from '../../support/attacks/raw-socket.ts';
import { type App, startApp } from '../../support/http/test-api.ts';
import { temporaryFolderPath } from '../../support/processes/run-folder.ts';

const SECRET = 'outside of the folder of assets';

let app: App;
let url: string;

beforeAll(async () => {
  const folder = temporaryFolderPath('traversal-');
  mkdirSync(`${folder}/explorer`);
  writeFileSync(`${folder}/index.html`, '<!doctype html><base href="./" />');
  writeFileSync(`${folder}/page-paths.json`, '["/","/markets/:market"]');
  writeFileSync(`${folder}/secret.js`, SECRET);
  writeFileSync(`${folder}/explorer/main.js`, 'main');
  ({ app, url } = await startApp({ explorer: createExplorer(pathToFileURL(`${folder}/`)) }));
});
afterAll(() => app.close());

const STEPS = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '....//',
  '..%252f',
  '.%00./',
  '%c0%ae%c0%ae/',
];
const FOLDERS = [
  '/explorer/',
  '/docs/',
  '/docs/guide/',
  '/docs/guide/examples/',
  '/docs/operations/',
];
const TARGETS = [
  'secret.js',
  'index.html',
  'package.json',
  'etc/passwd',
  'settings.md',
  'server/dist/app.js',
];

/** Raw, because clients resolve `..` before they send a path. */
const get = (path: string): Promise<string> =>
  sendBytes(url, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);

test.each(FOLDERS)('no path below %s reaches a file outside of it', async (folder) => {
  for (const step of STEPS) {
    for (const depth of [1, 2, 6]) {
      for (const target of TARGETS) {
        const path = `${folder}${step.repeat(depth)}${target}`;
        const response = await get(path);
        expect([400, 404], path).toContain(statusesIn(response)[0]);
        expect(response, path).not.toContain(SECRET);
      }
    }
  }
});

test('absolute paths, file URLs and names of objects are not files', async () => {
  const names = [
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'file:%2f%2f%2fetc%2fpasswd',
    'C:%5cboot.ini',
    '__proto__',
    'constructor',
    '.',
    '%00',
    'main.js%00.css',
    'main.js%2e',
  ];
  for (const folder of FOLDERS) {
    for (const name of names) {
      const response = await get(`${folder}${name}`);
      const [status] = statusesIn(response);
      // `/docs/.` is `/docs/`
      if (status === 200 || status === 308) expect([folder, name]).toEqual(['/docs/', '.']);
      else expect([400, 404], `${folder}${name}`).toContain(status);
    }
  }
});

test('the files themselves are served', async () => {
  expect(statusesIn(await get('/explorer/main.js'))).toEqual([200]);
  expect(statusesIn(await get('/docs/guide.js'))).toEqual([200]);
});

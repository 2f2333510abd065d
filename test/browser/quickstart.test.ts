import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { evaluate, hasChromium } from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { listGuideBlocks } from '../support/guides/guide-blocks.ts';
import { startScriptedServer } from '../support/http/scripted-server.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const project = join(root, 'examples/front-end');

const onEnd = fileScope();

test('the guide prints the files of the project', () => {
  const printed = listGuideBlocks('quickstart')
    .filter(({ language }) => ['html', 'ts'].includes(language))
    .map(({ text }) => `${text}\n`);
  const files = ['index.html', 'src/main.ts'].map((name) =>
    readFileSync(join(project, name), 'utf8'),
  );
  expect(printed).toEqual(files);
});

test('the project has no type errors', async () => {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '--noEmit', '-p', project]);
  expect(stdout).toBe('');
});

/** Builds the project in a folder of its own and serves it on an origin of its own. Returns the URL. */
async function serveProject(): Promise<string> {
  const folder = temporaryFolder(onEnd);
  cpSync(join(project, 'index.html'), join(folder, 'index.html'));
  cpSync(join(project, 'src'), join(folder, 'src'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await run(process.execPath, [vite, 'build'], { cwd: folder });
  const { url } = await startScriptedServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const isScript = pathname.endsWith('.js');
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(readFileSync(join(folder, 'dist', isScript ? pathname : 'index.html')));
  });
  return url;
}

describe.skipIf(!hasChromium)('in a browser', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  async function openProject(wallet: string) {
    const page = await site.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${await serveProject()}/?server=${site.url}&wallet=${wallet}`);
    const textOf = async (id: string) =>
      String(await evaluate(page, `document.getElementById('${id}').textContent`));
    return { textOf };
  }

  test('the page shows the loans of a wallet, and follows them', async () => {
    const { textOf } = await openProject(site.demo.wallet);
    await expect.poll(() => textOf('loans')).toContain(site.demo.obligation);
    expect(await textOf('loans')).toMatch(/deposits \d+\.\d\d USD, debt \d+\.\d\d USD/);
    const slotOf = async () => Number(/^At slot (\d+)$/.exec(await textOf('status'))?.[1]);
    const first = await slotOf();
    await expect.poll(slotOf).toBeGreaterThan(first);
  });

  test('a wallet that is no address shows the error of the server', async () => {
    const { textOf } = await openProject('nobody');
    await expect.poll(() => textOf('status')).toMatch(/pubkey|path|address/i);
  });
});

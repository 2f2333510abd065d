import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  devices,
  evaluate,
  findViolations,
  hasChromium,
  layoutShift,
  openBrowser,
  openPage,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;

/** Addresses for the paths of pages. */
type Demo = { readonly market: string; readonly deposit: { readonly reserve: string } };
let demo: Demo;

const pages: readonly { readonly name: string; readonly path: () => string }[] = [
  { name: 'overview', path: () => '/' },
  { name: 'market', path: () => `/markets/${demo.market}` },
  { name: 'reserve', path: () => `/reserves/${demo.deposit.reserve}` },
  { name: 'status', path: () => '/status' },
  { name: 'a market that does not exist', path: () => `/markets/${demo.deposit.reserve}` },
];

describe.skipIf(!hasChromium)('pages', () => {
  beforeAll(async () => {
    const server = await startServer({}, onEnd);
    url = server.url;
    await waitUntilReady(url);
    demo = ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
    browser = await openBrowser();
    onEnd(() => void browser.close());
  });

  describe.each(devices)('$name', (device) => {
    test.each(pages)('$name', async ({ name, path }) => {
      const { page, problems } = await openPage(browser, url, device);
      await page.goto(`${url}${path()}`);
      await waitForContent(page);
      expect(await findViolations(page)).toEqual([]);
      expect(await layoutShift(page)).toBeLessThan(0.01);
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await evaluate(page, overflow)).toBe(0);
      // the browser itself reports a 404 of the API
      const expected = name.includes('not exist')
        ? problems.filter((text) => !/404/.test(text))
        : problems;
      expect(expected).toEqual([]);
      await page.close();
    });
  });
});

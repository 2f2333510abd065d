import type { Browser, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  evaluate,
  hasChromium,
  openPage,
  WIDE,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;

const isStream = (request: Request): boolean =>
  request.headers()['accept']?.startsWith('text/event-stream') ?? false;

async function open(path: string, prepare: (page: Page) => Promise<void> = async () => undefined) {
  const { page } = await openPage(browser, `${url}${path}`, WIDE);
  onTestFinished(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await prepare(page);
  await page.goto(`${url}${path}`);
  await waitForContent(page);
  return { page, requests };
}

/** The slot that the loan is true for, as the page says. */
const slotOf = async (page: Page): Promise<number> => {
  const note = page.getByText(/True for slot [\d,]+/).first();
  return Number(((await note.innerText()).match(/slot ([\d,]+)/)?.[1] ?? '0').replaceAll(',', ''));
};

describe.skipIf(!hasChromium)('streams', () => {
  beforeAll(async () => {
    ({ url, browser, demo } = await openSite(onEnd));
  });

  test('a live page streams, updates in place, and does not poll what it streams', async () => {
    const { page, requests } = await open(`/loans/${demo.obligation}`);
    await expect.poll(() => requests.filter(isStream).length).toBeGreaterThan(0);
    const [stream] = requests.filter(isStream);
    expect((await stream?.response())?.headers()['content-type']).toBe('text/event-stream');
    // the same elements show the new figures
    await evaluate(page, "document.querySelector('h1').setAttribute('data-same', 'yes')");
    const before = await slotOf(page);
    await expect.poll(() => slotOf(page)).toBeGreaterThan(before + 5);
    expect(await page.locator('h1[data-same="yes"]').count()).toBe(1);
    const polled = () =>
      requests.filter((each) => each.url() === stream?.url() && !isStream(each)).length;
    const count = polled();
    const later = await slotOf(page);
    await expect.poll(() => slotOf(page)).toBeGreaterThan(later + 20);
    expect(polled()).toBe(count);
    // requests need connections too
    expect(requests.filter(isStream).length).toBeLessThanOrEqual(2);
  });

  test('a page whose streams fail polls', async () => {
    const { page, requests } = await open('/', async (opened) => {
      await opened.route(`${url}/**`, (route) =>
        isStream(route.request()) ? route.abort() : route.continue(),
      );
    });
    await expect.poll(() => requests.filter(isStream).length).toBeGreaterThan(0);
    const polls = () =>
      requests.filter((each) => each.url().includes('/events/recent') && !isStream(each)).length;
    const before = polls();
    await expect.poll(polls).toBeGreaterThan(before + 2);
    expect(await page.getByText('Not refreshed').count()).toBe(0);
  });
});

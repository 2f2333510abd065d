import { readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { StartingClusters } from '#server/clusters/starting-clusters.ts';
import {
  evaluate,
  hasChromium,
  openPage,
  WIDE,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { goldenClusters, staticCluster } from '../support/golden/golden-clusters.ts';
import { goldenReader } from '../support/golden/golden-reader.ts';
import { startApi } from '../support/http/test-api.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;

const build = new URL('../../packages/server/dist/explorer/', import.meta.url);

async function openOverview(address = `${url}/`) {
  const opened = await openPage(browser, address, WIDE);
  onTestFinished(() => opened.page.close());
  await opened.page.goto(address);
  await waitForContent(opened.page);
  return opened;
}

describe.skipIf(!hasChromium)('behaviour', () => {
  beforeAll(async () => {
    ({ url, browser, demo } = await openSite(onEnd));
  });

  test('a slash focuses the search, which finds a market by a part of its name', async () => {
    const { page } = await openOverview();
    await page.keyboard.press('/');
    await page.keyboard.type('bitcoin');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bitcoin Credit' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/markets\//);
  });

  test('the overview and the search lead to the demo wallet', async () => {
    const { page } = await openOverview();
    const path = `/wallets/${demo.wallet}`;
    await page.getByRole('navigation', { name: 'Try it' }).getByText('demo wallet').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    await page.goto(`${url}/`);
    await waitForContent(page);
    await page.keyboard.press('/');
    await page.keyboard.type('demo');
    await page.getByRole('option', { name: 'Wallet Demo wallet' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  });

  test('an address leads to what it is, and a misspelled name to the name', async () => {
    const { page } = await openOverview();
    const results = page.getByRole('option');
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.fill(demo.obligation);
    await page.getByRole('option', { name: `Loan ${demo.obligation}` }).waitFor();
    expect(await results.count()).toBe(1);
    await search.fill(demo.wallet);
    await page.getByRole('option', { name: /^Wallet .* loan/ }).waitFor();
    // no account of the cluster has the address of the genesis of mainnet
    await search.fill('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d');
    await page.getByRole('option', { name: 'unknown to this server' }).waitFor();
    expect(await results.count()).toBe(1);
    await search.fill('bitcion');
    await page.getByRole('option', { name: 'Market Bitcoin Credit' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bitcoin Credit' }).waitFor();
  });

  test('markup in names is shown as text', async () => {
    const markup = "<img src=x onerror=document.title='attacked'>";
    const { page } = await openPage(browser, `${url}/`, WIDE);
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
    });
    await page.route(`${url}/**`, async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('Main Market', markup);
      return route.fulfill({ response, body });
    });
    for (const path of ['/', `/markets/${demo.market}`, `/loans/${demo.obligation}`]) {
      await page.goto(`${url}${path}`);
      await page.getByText(markup).first().waitFor();
      expect(await page.locator('img[src="x"]').count(), path).toBe(0);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await page.getByRole('option').first().waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).not.toBe('attacked');
  });

  test('a search that finds nothing says what else can be pasted', async () => {
    const { page } = await openOverview();
    await page.keyboard.press('/');
    await page.keyboard.type('nowhere-to-be-found');
    await page.getByText(/Any address.* can be pasted here/).waitFor();
  });

  test('the order of a table is in the URL, and a link shows the same order', async () => {
    const { page } = await openOverview();
    await page.getByRole('button', { name: 'Market' }).click();
    expect(new URL(page.url()).searchParams.get('markets.sort')).toBe('name');
    const names = async () =>
      page.locator('section[aria-label="Markets"] tbody td:first-child').allInnerTexts();
    const sorted = ['Bitcoin Credit', 'JLP Market', 'Main Market'];
    expect(await names()).toEqual(sorted);
    await page.reload();
    await waitForContent(page);
    expect(await names()).toEqual(sorted);
  });

  test('arrow keys move between cells, and Enter opens the row', async () => {
    const { page } = await openOverview();
    await page.locator('section.table-frame[aria-label="Table: Markets"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.tooltip').innerText()).toMatch(/^\$[\d,]+\.\d{5,}$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Main Market' }).waitFor();
  });

  test('a brush zooms, the URL holds the range, and a double click resets it', async () => {
    const { page } = await openOverview(`${url}/?totals.range=7d`);
    const over = page.locator('.chart-plot .u-over');
    const at = async (fraction: number): Promise<[x: number, y: number]> => {
      const box = await over.boundingBox();
      if (box === null) throw new Error('no chart');
      return [box.x + box.width * fraction, box.y + box.height / 2];
    };
    const readZoom = () => new URL(page.url()).searchParams.get('totals.zoom');
    const brush = async () => {
      await page.mouse.move(...(await at(0.3)));
      await page.mouse.down();
      await page.mouse.move(...(await at(0.6)), { steps: 4 });
      await page.mouse.up();
      return readZoom();
    };
    // the URL follows in the next frame, and new data may draw the chart again during the first brush
    await expect.poll(brush, { interval: 1_000 }).toMatch(/^\d+_\d+$/);
    const [from = 0, to = 0] = (readZoom() ?? '').split('_').map(Number);
    expect(to).toBeGreaterThan(from);
    await page.mouse.dblclick(...(await at(0.5)));
    await expect.poll(readZoom).toBeNull();
  });

  test('a copied number has all digits', async () => {
    const { page } = await openOverview();
    const copied = await evaluate(
      page,
      `(() => {
      const number = document.querySelector('.stat-value data');
      window.getSelection().selectAllChildren(number);
      const data = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data }));
      return [number.textContent, data.getData('text/plain')];
    })()`,
    );
    const [short = '', exact = ''] = copied as string[];
    expect(short).toMatch(/^\$[\d.]+M$/);
    expect(exact).toMatch(/^\d{7,}\.\d{5,}$/);
  });

  test('without a connection the data stays, and the page says so', async () => {
    const { page } = await openOverview();
    await page.context().setOffline(true);
    await page.locator('.lost-banner').waitFor();
    expect(await page.locator('section[aria-label="Markets"] tbody tr').count()).toBe(3);
    await page.context().setOffline(false);
    await page.locator('.lost-banner').waitFor({ state: 'detached' });
  });

  test('one failing request leaves the rest of the page alive, with a way to retry', async () => {
    const opened = await openPage(browser, url, WIDE);
    const { page } = opened;
    onTestFinished(() => page.close());
    const pattern = '**/kvaults/vaults/metrics';
    const body = '{"error":"Storage is full","code":"INTERNAL"}';
    await page.route(pattern, (route) => route.fulfill({ status: 500, body }));
    await page.goto(`${url}/`);
    const vaults = page.locator('section.block[aria-label="Vaults"]');
    await vaults.getByText('Storage is full').waitFor();
    await page.locator('section[aria-label="Markets"] tbody tr').first().waitFor();
    // each figure arrives on its own
    await expect
      .poll(() => page.locator('.stat-value').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^\$/),
        expect.stringMatching(/^\$/),
        expect.stringContaining('Storage is full'),
        expect.stringMatching(/^\d+$/),
      ]);
    await page.unroute(pattern);
    await vaults.getByRole('button', { name: 'Try again' }).click();
    await vaults.locator('tbody tr').first().waitFor();
  });

  test('during the start the page shows the progress, and opens by itself', async () => {
    let percent = 20;
    const clusters = new StartingClusters('localnet', () => ({
      stage: 'simulating',
      done: percent,
      total: 100,
    }));
    const api = await startApi({ clusters });
    const { page } = await openPage(browser, api.url, WIDE);
    onTestFinished(() => page.close());
    await page.goto(api.url);
    await page.getByRole('heading', { name: 'Tidegate is starting' }).waitFor();
    await page.getByText('20 %').waitFor();
    percent = 60;
    await page.getByText('60 %').waitFor();
    await page.getByText(/about \d+ \w+ left/).waitFor();
    clusters.open(goldenClusters());
    await page.locator('section.block[aria-label="Markets"]').waitFor();
  });

  test('while nothing is loaded, the status page says why and shows no age', async () => {
    const reader = goldenReader({ at: { slot: toSlot(0n), unix: toUnixSeconds(0n) } });
    const missing = ['Nothing is loaded yet, because no endpoint works. rpc a.example: status 503'];
    const status = () => ({ ...staticCluster().status(), slot: undefined, missing });
    const api = await startApi({ clusters: goldenClusters({ reader, status }) });
    const { page } = await openPage(browser, api.url, WIDE);
    onTestFinished(() => page.close());
    await page.goto(`${api.url}/status`);
    await page.getByText('rpc a.example: status 503').waitFor();
    const text = await page.locator('body').innerText();
    expect(text).not.toMatch(/1970|days|True for slot|left out/i);
    await page.goto(api.url);
    await page.getByRole('heading', { name: 'Tidegate is starting' }).waitFor();
    await page.getByText('rpc a.example: status 503').waitFor();
  });

  test('behind a proxy with a path prefix, pages, links and reloads work', async () => {
    const proxy = createServer((request, response) => {
      const target = `${url}${(request.url ?? '').replace(/^\/tide/, '') || '/'}`;
      const forwarded = sendRequest(target, { method: request.method, headers: request.headers });
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    const { page, problems } = await openOverview(`http://127.0.0.1:${port}/tide/`);
    await page.getByRole('link', { name: 'JLP Market' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'JLP Market' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/tide\/markets\//);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'JLP Market' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the page works on another origin than the API', async () => {
    const html = readFileSync(new URL('index.html', build), 'utf8').replace(
      'name="tidegate-api" content=""',
      `name="tidegate-api" content="${url}"`,
    );
    const types: Readonly<Record<string, string>> = {
      js: 'text/javascript',
      css: 'text/css',
      svg: 'image/svg+xml',
    };
    const files = createServer((request, response) => {
      const [, name] = /^\/(explorer\/[\w.-]+)$/.exec(request.url ?? '') ?? [];
      const type = types[name?.split('.').at(-1) ?? ''] ?? 'text/html';
      response.writeHead(200, { 'content-type': type });
      response.end(name === undefined ? html : readFileSync(new URL(name, build)));
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      files.closeAllConnections();
      files.close();
    });
    const { port } = files.address() as AddressInfo;
    const { page, problems } = await openOverview(`http://127.0.0.1:${port}/`);
    expect(await page.locator('section[aria-label="Markets"] tbody tr').count()).toBe(3);
    const hosts = problems.map((problem) => problem.replace(/^request: (http:\/\/[^/]+).*$/, '$1'));
    expect([...new Set(hosts)]).toEqual([url]);
  });
});

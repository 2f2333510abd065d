import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Device,
  findDeviceViolations,
  findLayoutShifts,
  hasChromium,
  openPage,
  PHONE,
  WIDE,
} from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const run = promisify(execFile);

describe.skipIf(!hasChromium)('documentation in a browser', () => {
  const onEnd = fileScope();
  let site: Site;

  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  /** Opens a page, runs the steps and checks that nothing failed and no other host was contacted. */
  async function visit(
    path: string,
    device: Device,
    steps: (page: Page) => Promise<void>,
  ): Promise<void> {
    const { page, problems } = await openPage(site.browser, site.url, device);
    await page.goto(`${site.url}${path}`);
    await steps(page);
    await page.close();
    expect(problems).toEqual([]);
  }

  test('the search finds a field, a guide and a word, by keyboard alone', async () => {
    await visit('/docs/', WIDE, async (page) => {
      for (const [word, title] of [
        ['liquidation', 'Health of a loan'],
        ['ltv', 'Loan report'],
        ['apy', 'Trailing APY of a vault'],
      ] as const) {
        await page.keyboard.press('/');
        await page.keyboard.type(word);
        const results = page.locator('#search-results strong');
        await results.filter({ hasText: title }).first().waitFor();
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('/');
      await page.keyboard.type('loan report');
      await page.locator('#search-results [aria-selected="true"]').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/operations/getLoan');
      expect(await page.title()).toBe('Loan report · Tidegate');
    });
  });

  test('exact names are first, errors are found by number, and a typing error is corrected', async () => {
    await visit('/docs/', WIDE, async (page) => {
      const input = page.locator('#search-input');
      const first = page.locator('#search-results strong').first();
      for (const [text, title] of [
        ['/kvaults/vaults/{pubkey}/metrics', 'Metrics of a vault'],
        ['getLoan', 'Loan report'],
        ['local_days', undefined],
        ['LOCALNET_DAYS', 'LOCALNET_DAYS'],
        ['custom program error: 0x1780', '6016, 0x1780, ObligationHealthy'],
      ] as const) {
        await input.fill(text);
        if (title === undefined) await page.getByText('Nothing found').waitFor();
        else await expect.poll(() => first.textContent()).toBe(title);
      }
      await input.fill('wehbooks');
      await page.getByText('results for “webhooks”').waitFor();
      await input.fill('klend 6016');
      await expect.poll(() => first.textContent()).toContain('ObligationHealthy');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/guide/program-errors#klend-6016');
      const row = page.locator('#klend-6016');
      expect(await row.textContent()).toContain('Nothing to liquidate any more');
      await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(300);
    });
  });

  test('deep links open the operation, the section and, from earlier releases, the fragment', async () => {
    await visit('/docs/#getLoan', WIDE, async (page) => {
      await page.waitForURL('**/docs/operations/getLoan');
      expect(await page.locator('h1').textContent()).toBe('Loan report');
      expect(await page.locator('#page-nav [aria-current]').textContent()).toContain('Loan report');
    });
    await visit('/docs/guide/numbers#health-of-a-loan', WIDE, async (page) => {
      const box = await page.locator('#health-of-a-loan').boundingBox();
      expect(box?.y).toBeGreaterThan(50);
      expect(box?.y).toBeLessThan(200);
    });
  });

  test('a page of an operation has its content without scripts, in less than 30 KB', async () => {
    const context = await site.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      bytes += (await request.sizes()).responseBodySize;
    });
    await page.goto(`${site.url}/docs/operations/getLoan`, { waitUntil: 'networkidle' });
    await page.getByRole('rowheader', { name: 'pubkey' }).waitFor();
    await page.getByText('maxWithdrawableAmount').first().waitFor();
    await page.getByRole('heading', { name: 'Sample answer' }).waitFor();
    expect(bytes).toBeLessThan(30_000);
    await context.close();
  });

  test('the request form comes into its place, and moves nothing of the reference', async () => {
    await visit('/docs/operations/getLoan', WIDE, async (page) => {
      await page.getByRole('button', { name: 'Send' }).waitFor();
      expect(await findLayoutShifts(page)).toEqual([]);
      expect(await page.locator('.try-it-frame').count()).toBe(1);
    });
  });

  test.each([
    ['GET', 'getLoan', 'loanInfo'],
    ['POST', 'buildLendDepositTx', 'transaction'],
    ['POST', 'decodeTransaction', 'instructions'],
  ])('a prefilled %s request succeeds', async (_, operationId, field) => {
    await visit(`/docs/operations/${operationId}`, WIDE, async (page) => {
      expect(await page.locator('.response-body').textContent()).toContain(`"${field}"`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.status-good').waitFor();
      expect(await page.locator('.status').textContent()).toContain('200');
      expect(await page.locator('.response-body').textContent()).toContain(`"${field}"`);
    });
  });

  test('the snippets send the filled request', async () => {
    const snippets: Record<string, string> = {};
    await visit('/docs/operations/buildLendDepositTx', WIDE, async (page) => {
      for (const name of ['curl', 'Client', 'TypeScript', 'Python']) {
        await page.getByRole('tab', { name }).click();
        snippets[name] = (await page.locator('#snippet').textContent()) ?? '';
      }
    });
    const outputs = [
      await run('bash', ['-c', snippets['curl'] ?? '']),
      await run(process.execPath, ['--input-type=module', '--eval', snippets['TypeScript'] ?? '']),
      await run(process.execPath, ['--input-type=module', '--eval', snippets['Client'] ?? '']),
    ];
    for (const { stdout } of outputs) expect(stdout).toMatch(/"?transaction"?: ?['"]A/);
    const hasPython = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasPython) return;
    const { stdout } = await run('python3', ['-c', snippets['Python'] ?? '']);
    expect(stdout).toMatch(/'transaction': 'A/);
  });

  test('on a phone the menu opens and closes, and no page is wider than the screen', async () => {
    const pages = ['/docs/', '/docs/guide/mainnet', '/docs/operations/getLoan'];
    for (const path of pages) {
      await visit(path, PHONE, async (page) => {
        await page.waitForLoadState('networkidle');
        const overflow = () =>
          page.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
        expect(await overflow(), path).toBeLessThanOrEqual(0);
        const nav = page.locator('#page-nav');
        expect(await nav.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Contents' }).click();
        expect(await nav.isVisible()).toBe(true);
        await page.keyboard.press('Escape');
        expect(await nav.isVisible()).toBe(false);
      });
    }
  });

  const accessible = ['/docs/', '/docs/guide/builders', '/docs/operations/buildLendDepositTx'];
  test.each([WIDE, PHONE])('$name: accessible', async (device) => {
    for (const path of accessible) {
      await visit(path, device, async (page) => {
        await page.waitForLoadState('networkidle');
        expect(await findDeviceViolations(page, device), path).toEqual([]);
      });
    }
  });
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type RunningServer,
  startServer,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

const run = promisify(execFile);
const sizes = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};
type Size = keyof typeof sizes;
type Theme = 'light' | 'dark';

describe.skipIf(!existsSync(CHROMIUM))('documentation in a browser', () => {
  const onEnd = fileScope();
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer({}, onEnd);
    await waitUntilReady(server.url);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });
  afterAll(() => browser?.close());

  /** Opens a page, runs the steps and checks that nothing failed and no other host was contacted. */
  async function visit(
    path: string,
    { size = 'wide', theme = 'light' }: { size?: Size; theme?: Theme },
    steps: (page: Page) => Promise<void>,
  ): Promise<void> {
    const options = { viewport: sizes[size], colorScheme: theme, bypassCSP: false };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== server.url) problems.push(request.url());
    });
    await page.goto(`${server.url}${path}`);
    await steps(page);
    await context.close();
    expect(problems).toEqual([]);
  }

  async function axeViolations(page: Page): Promise<string[]> {
    // evaluated by the debugger, which the content security policy does not concern
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`,
    );
  }

  test('the search finds a field, a guide and a word, by keyboard alone', async () => {
    await visit('/docs/', {}, async (page) => {
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

  test('deep links open the operation, the section and, from earlier releases, the fragment', async () => {
    await visit('/docs/#getLoan', {}, async (page) => {
      await page.waitForURL('**/docs/operations/getLoan');
      expect(await page.locator('h1').textContent()).toBe('Loan report');
      expect(await page.locator('#page-nav [aria-current]').textContent()).toContain('Loan report');
    });
    await visit('/docs/guide/numbers#health-of-a-loan', {}, async (page) => {
      const box = await page.locator('#health-of-a-loan').boundingBox();
      expect(box?.y).toBeGreaterThan(50);
      expect(box?.y).toBeLessThan(200);
    });
  });

  test.each([
    ['GET', 'getLoan', 'loanInfo'],
    ['POST', 'buildLendDepositTx', 'transaction'],
    ['POST', 'decodeTransaction', 'instructions'],
  ])('a prefilled %s request succeeds', async (_, operationId, field) => {
    await visit(`/docs/operations/${operationId}`, {}, async (page) => {
      expect(await page.locator('.response-body').textContent()).toContain(`"${field}"`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.status-good').waitFor();
      expect(await page.locator('.status').textContent()).toContain('200');
      expect(await page.locator('.response-body').textContent()).toContain(`"${field}"`);
    });
  });

  test('the snippets send the filled request', async () => {
    const snippets: Record<string, string> = {};
    await visit('/docs/operations/buildLendDepositTx', {}, async (page) => {
      for (const name of ['curl', 'TypeScript', 'Python']) {
        await page.getByRole('tab', { name }).click();
        snippets[name] = (await page.locator('#snippet').textContent()) ?? '';
      }
    });
    const outputs = [
      await run('bash', ['-c', snippets['curl'] ?? '']),
      await run(process.execPath, ['--input-type=module', '--eval', snippets['TypeScript'] ?? '']),
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

  test('the theme button changes the theme, and the next page keeps it', async () => {
    await visit('/docs/', {}, async (page) => {
      const background = () =>
        page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await page.getByRole('button', { name: 'Use the dark theme' }).click();
      const dark = await background();
      expect(dark).not.toBe(light);
      await page.goto(`${server.url}/docs/guide/tour`);
      expect(await background()).toBe(dark);
    });
  });

  test('on a phone the menu opens and closes, and no page is wider than the screen', async () => {
    const pages = ['/docs/', '/docs/guide/mainnet', '/docs/operations/getLoan'];
    for (const path of pages) {
      await visit(path, { size: 'phone' }, async (page) => {
        await page.waitForLoadState('networkidle');
        const overflow = () =>
          page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(await overflow(), path).toBe(0);
        const nav = page.locator('#page-nav');
        expect(await nav.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Menu' }).click();
        expect(await nav.isVisible()).toBe(true);
        await page.keyboard.press('Escape');
        expect(await nav.isVisible()).toBe(false);
      });
    }
  });

  const variants = (['light', 'dark'] as const).flatMap((theme) =>
    (['wide', 'phone'] as const).map((size) => ({ theme, size })),
  );
  test.each(variants)('$theme and $size: accessible', async (variant) => {
    const pages = ['/docs/', '/docs/guide/builders', '/docs/operations/buildLendDepositTx'];
    for (const path of pages) {
      await visit(path, variant, async (page) => {
        await page.waitForLoadState('networkidle');
        expect(await axeViolations(page), path).toEqual([]);
      });
    }
  });
});

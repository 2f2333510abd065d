import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { WAIT_LIMIT_MS } from '../waiting/wait-until.ts';

/** Debian's package; others name it in `CHROMIUM`. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasChromium = existsSync(CHROMIUM);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });

export type Device = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly theme: 'light' | 'dark';
};

export const WIDE: Device = { name: 'wide', width: 1280, height: 900, theme: 'light' };
export const PHONE: Device = { name: 'phone', width: 390, height: 844, theme: 'dark' };

export type WatchedPage = {
  readonly page: Page;
  /** Errors in the console, exceptions, and requests to other hosts. */
  readonly problems: string[];
};

/** Opens an empty page that notes everything that must not happen. */
export async function openPage(
  browser: Browser,
  url: string,
  device: Device,
): Promise<WatchedPage> {
  const { width, height, theme } = device;
  // without animations a page is drawn less often
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  const problems: string[] = [];
  const { host } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', ({ message }) => problems.push(`exception: ${message}`));
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (/^https?:$/.test(target.protocol) && target.host !== host)
      problems.push(`request: ${target}`);
  });
  return { page, problems };
}

/** Waits until no block loads any more. */
export async function waitForContent(page: Page): Promise<void> {
  await page.waitForSelector('.block');
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
};

/** Evaluates an expression as the console does: the policy of the page forbids `eval`. */
export async function evaluate(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const parameters = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', parameters);
  await session.detach();
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}

/** Accessibility violations, one line each. */
export async function findViolations(page: Page): Promise<string[]> {
  await evaluate(page, axe.source);
  return listViolations(page, '{}');
}

/**
 * Accessibility violations of a device. Colours, which take most of the time, do not depend on its width: on the wide one
 * they are checked in both themes.
 */
export async function findDeviceViolations(page: Page, { name }: Device): Promise<string[]> {
  if (name !== WIDE.name) {
    await evaluate(page, axe.source);
    return listViolations(page, "{ rules: { 'color-contrast': { enabled: false } } }");
  }
  const violations = await findViolations(page);
  await page.emulateMedia({ colorScheme: PHONE.theme });
  return [...violations, ...(await listViolations(page, "{ runOnly: ['color-contrast'] }"))];
}

async function listViolations(page: Page, options: string): Promise<string[]> {
  const result = (await evaluate(page, `axe.run(${options})`)) as AxeResult;
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}

const LIST_SHIFTS = `new Promise((resolve) => {
  const nameOf = ({ node, previousRect, currentRect }) =>
    (node?.outerHTML ?? 'removed').slice(0, 120) + ' ' + previousRect.y + ' -> ' + currentRect.y;
  const shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(nameOf) });
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(shifts), 100);
})`;

type LayoutShift = { readonly value: number; readonly moved: readonly string[] };

/** What moved after it was first painted, if that is noticeable (Cumulative Layout Shift over 0.01). */
export async function findLayoutShifts(page: Page): Promise<readonly LayoutShift[]> {
  const shifts = (await evaluate(page, LIST_SHIFTS)) as readonly LayoutShift[];
  return shifts.reduce((sum, { value }) => sum + value, 0) < 0.01 ? [] : shifts;
}

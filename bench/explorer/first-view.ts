import type { Browser, CDPSession } from 'playwright-core';
import { evaluate } from '../../test/support/browser/open-browser.ts';

export type FirstView = {
  /** Of all responses but those of the API: bodies as they were sent, and headers. */
  readonly bytes: number;
  readonly files: number;
  /** Milliseconds since the navigation. */
  readonly paintedMs: number;
  /** Until the last skeleton is replaced. */
  readonly completeMs: number;
};

/** Runs before the scripts of the page: notes when no block loads any more. */
const WATCH_SKELETONS = `
  let seen = false;
  const look = () => {
    const busy = document.querySelector('[aria-busy="true"], .skeleton') !== null;
    seen ||= busy;
    if (seen && !busy) window.completeMs = performance.now();
    else delete window.completeMs;
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
`;

const READ_TIMES = `(async () => {
  while (window.completeMs === undefined) await new Promise(requestAnimationFrame);
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return [paint?.startTime ?? Number.NaN, window.completeMs];
})()`;

/** Opens the overview in a new context, whose cache is empty. */
export async function loadFirstView(browser: Browser, url: string): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const received = await countBytes(session, url);
    await page.addInitScript(WATCH_SKELETONS);
    await page.goto(`${url}/`);
    const [paintedMs = Number.NaN, completeMs = Number.NaN] = (await evaluate(
      page,
      READ_TIMES,
    )) as number[];
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
    return { ...received(), paintedMs, completeMs };
  } finally {
    await context.close();
  }
}

/** Counts what the network sends for the page itself: the document and its files. */
async function countBytes(session: CDPSession, url: string) {
  const files = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    const isPage = response.url.startsWith(url) && /^\/($|explorer\/|favicon)/.test(pathname);
    if (isPage) files.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => ({ bytes, files: files.size });
}

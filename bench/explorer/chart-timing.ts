import type { Browser, Page } from 'playwright-core';
import { evaluate, waitForContent } from '../../test/support/browser/open-browser.ts';
import { median } from '../compare/median.ts';

const HISTORY = 'section.block[aria-label="History"]';
const ROUNDS = 5;
const BRUSH_STEPS = 120;
const BRUSH_STEP_MS = 16;

/** Opens the page of the demo's reserve with a year of history, by hour where the page itself requests days. */
async function openYear(browser: Browser, url: string): Promise<{ page: Page; points: number }> {
  const status = (await (await fetch(`${url}/status`)).json()) as {
    readonly demo: { readonly deposit: { readonly reserve: string } };
  };
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let points = 0;
  await page.route(/\/metrics\/history\?.*frequency=day/, async (route) => {
    const target = route.request().url().replace('frequency=day', 'frequency=hour');
    const response = await route.fetch({ url: target });
    const { history } = (await response.json()) as { readonly history: readonly unknown[] };
    points = Math.max(points, history.length);
    await route.fulfill({ response });
  });
  await page.goto(`${url}/reserves/${status.demo.deposit.reserve}`);
  await waitForContent(page);
  await page.locator(`${HISTORY} canvas`).waitFor();
  await page.locator(HISTORY).scrollIntoViewIfNeeded();
  return { page, points };
}

/** Chooses another figure of the loaded history, and waits for the measure of the chart. */
const chooseFigure = (index: number): string => `new Promise((resolve) => {
  const startedAt = performance.now();
  new PerformanceObserver((list, observer) => {
    const [entry] = list.getEntriesByName('chart history');
    if (entry === undefined) return;
    observer.disconnect();
    resolve([entry.duration, entry.startTime + entry.duration - startedAt]);
  }).observe({ entryTypes: ['measure'] });
  document.querySelectorAll('${HISTORY} header input')[${index}].click();
})`;

export type DrawTiming = {
  readonly points: number;
  /** From data to pixels. */
  readonly drawMs: number;
  /** From the choice of another figure to pixels. */
  readonly clickMs: number;
};

/** Medians of several draws. */
export async function measureDraw(browser: Browser, url: string): Promise<DrawTiming> {
  const { page, points } = await openYear(browser, url);
  const timings: number[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    timings.push((await evaluate(page, chooseFigure(round % 4))) as number[]);
  }
  await page.close();
  const middle = (index: number): number => median(timings.map((each) => each[index] ?? 0));
  return { points, drawMs: middle(0), clickMs: middle(1) };
}

export type BrushTiming = {
  readonly framesPerSecond: number;
  readonly frameMs: number;
  /** Time of scripts per frame. */
  readonly workMs: number;
};

const START_FRAMES = `(() => {
  window.frameTimes = [];
  const note = (time) => {
    window.frameTimes.push(time);
    window.frameRequest = requestAnimationFrame(note);
  };
  window.frameRequest = requestAnimationFrame(note);
})()`;

const STOP_FRAMES = `(cancelAnimationFrame(window.frameRequest), window.frameTimes)`;

/** Drags the mouse over the chart for about two seconds. */
export async function measureBrush(browser: Browser, url: string): Promise<BrushTiming> {
  const { page } = await openYear(browser, url);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const box = await page.locator(`${HISTORY} .u-over`).boundingBox();
  if (box === null) throw new Error('no chart');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.1, y);
  await page.mouse.down();
  const scriptSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN;
  };
  const before = await scriptSeconds();
  await evaluate(page, START_FRAMES);
  for (let step = 0; step < BRUSH_STEPS; step += 1) {
    await page.mouse.move(box.x + box.width * (0.1 + (0.8 * step) / BRUSH_STEPS), y);
    await page.waitForTimeout(BRUSH_STEP_MS);
  }
  const times = (await evaluate(page, STOP_FRAMES)) as number[];
  const worked = (await scriptSeconds()) - before;
  await page.mouse.up();
  await page.close();
  const frames = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const elapsed = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    framesPerSecond: (frames.length * 1_000) / elapsed,
    frameMs: median(frames),
    workMs: (worked * 1_000) / frames.length,
  };
}

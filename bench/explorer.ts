import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { hasChromium, openBrowser } from '../test/support/browser/open-browser.ts';
import { median } from './compare/median.ts';
import { measureBrush, measureDraw } from './explorer/chart-timing.ts';
import { type FirstView, loadFirstView } from './explorer/first-view.ts';
import { startTidegateWithHistory, stopTidegate } from './http/measured-servers.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * The explorer in Chromium on loopback: bytes and times of the first view with an empty cache, the time to draw a year by
 * hour, and the frames while the mouse brushes that chart. There is no GPU, so frames are also measured by the time that
 * the page's own work takes in each.
 */
const DAYS = sized(365, 1);
const LOADS = sized(5, 1);
const BUDGETS = { kilobytes: 200, viewMs: 1_000, drawMs: 100, framesPerSecond: 60 } as const;
/** A frame that the scheduler of a shared machine delays now and then is not counted against the page. */
const FRAME_TOLERANCE = 0.95;

async function reportFirstView(browser: Browser, url: string): Promise<boolean> {
  const views: FirstView[] = [];
  for (let load = 0; load < LOADS; load += 1) views.push(await loadFirstView(browser, url));
  const middle = (value: (view: FirstView) => number): number => median(views.map(value));
  const kilobytes = middle(({ bytes }) => bytes) / 1_000;
  const complete = middle(({ completeMs }) => completeMs);
  const painted = middle(({ paintedMs }) => paintedMs);
  const areBytesWithin = kilobytes <= BUDGETS.kilobytes;
  reportCost({
    work: `explorer, first view, ${views[0]?.files} files`,
    measured: `${kilobytes.toFixed(1)} KB compressed`,
    budget: `${BUDGETS.kilobytes} KB`,
    isWithinBudget: areBytesWithin,
  });
  const isTimeWithin = complete <= BUDGETS.viewMs;
  reportCost({
    work: `explorer, first view, median of ${LOADS} cold loads`,
    measured: `first paint ${painted.toFixed(0)} ms, complete ${complete.toFixed(0)} ms`,
    budget: `${BUDGETS.viewMs} ms`,
    isWithinBudget: isTimeWithin,
  });
  return areBytesWithin && isTimeWithin;
}

async function reportCharts(browser: Browser, url: string): Promise<boolean> {
  const { points, drawMs, clickMs } = await measureDraw(browser, url);
  const isDrawWithin = clickMs <= BUDGETS.drawMs;
  reportCost({
    work: `explorer, chart of ${points} points by hour`,
    measured: `${clickMs.toFixed(0)} ms from the click, ${drawMs.toFixed(0)} ms of it to draw`,
    budget: `${BUDGETS.drawMs} ms`,
    isWithinBudget: isDrawWithin,
  });
  const { framesPerSecond, frameMs, workMs } = await measureBrush(browser, url);
  const areFramesWithin = framesPerSecond >= BUDGETS.framesPerSecond * FRAME_TOLERANCE;
  reportCost({
    work: 'explorer, brushing that chart, software rendering',
    measured: `${framesPerSecond.toFixed(0)} frames/s, median frame ${frameMs.toFixed(1)} ms, script ${workMs.toFixed(1)} ms per frame`,
    budget: `${BUDGETS.framesPerSecond} frames/s, less 5 %`,
    isWithinBudget: areFramesWithin,
  });
  return isDrawWithin && areFramesWithin;
}

async function measureExplorer(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-explorer-'));
  const server = await startTidegateWithHistory(folder, DAYS);
  const browser = await openBrowser();
  try {
    const isViewWithin = await reportFirstView(browser, server.url);
    const areChartsWithin = await reportCharts(browser, server.url);
    reportBudget(isViewWithin && areChartsWithin);
  } finally {
    await browser.close();
    await stopTidegate(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (hasChromium) await measureExplorer();
else console.log('not measured: no Chromium at /usr/bin/chromium or in CHROMIUM');

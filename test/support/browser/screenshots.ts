import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { evaluate } from './open-browser.ts';

/** Saves the whole page as `NAME.png` in the folder that `SCREENSHOTS` names; does nothing without it. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`);
  // in a window as high as the page, the navigation is at its end
  const height = Number(await evaluate(page, 'document.documentElement.scrollHeight'));
  const size = page.viewportSize();
  if (size !== null) await page.setViewportSize({ width: size.width, height });
  // what comes into view now is loaded now
  await page.locator('.sparkline:empty').first().waitFor({ state: 'detached' });
  await page.screenshot({ path, animations: 'disabled' });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Device,
  openBrowser,
  openPage,
  PHONE,
  WIDE,
  waitForContent,
} from '../test/support/browser/open-browser.ts';
import type { Demo } from '../test/support/browser/open-site.ts';
import { saveScreenshot } from '../test/support/browser/screenshots.ts';

/**
 * Saves every page of the explorer on every device in `screenshots`, or in the folder that `SCREENSHOTS` names. It starts a
 * server with a year of history (`LOCALNET_DAYS` for fewer days, `DATA_DIR` for a simulated cluster). Arguments: parts of
 * names, for some of the pages.
 */

const PROGRAM = fileURLToPath(new URL('../packages/server/bin/tidegate.js', import.meta.url));
const POLL_MS = 500;
/** Charts are drawn after their data arrives. */
const DRAWING_MS = 700;

const devices: readonly Device[] = [WIDE, PHONE].flatMap((device) =>
  (['light', 'dark'] as const).map((theme) => ({
    ...device,
    name: `${device.name} ${theme}`,
    theme,
  })),
);

const pathsOf = ({ market, vault, wallet, obligation, deposit }: Demo) => ({
  overview: '/',
  market: `/markets/${market}`,
  reserve: `/reserves/${deposit.reserve}`,
  vaults: '/vaults',
  vault: `/vaults/${vault}`,
  loan: `/loans/${obligation}`,
  wallet: `/wallets/${wallet}`,
  'wallet-loans': `/wallets/${wallet}?tab=loans`,
  'wallet-earn': `/wallets/${wallet}?tab=earn`,
  'wallet-rewards': `/wallets/${wallet}?tab=rewards`,
  'wallet-activity': `/wallets/${wallet}?tab=activity`,
  build: '/build',
  decode: '/decode',
  status: '/status',
  proof: '/proof',
  'not-found': '/wallets/nobody',
});

function startServer(dataDir: string): { process: ChildProcess; url: Promise<string> } {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...process.env, PORT: '0', LOCALNET_RPC_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const [, found] = /^Tidegate is at (\S+)/m.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`the server exited: ${text}`)));
  });
  return { process: child, url };
}

async function readDemo(url: string): Promise<Demo> {
  while ((await fetch(`${url}/ready`)).status !== 200) await sleep(POLL_MS);
  return ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
}

type Target = { readonly name: string; readonly url: string; readonly device: Device };

async function takeScreenshots(targets: readonly Target[]): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const { name, url, device } of targets) {
      const { page } = await openPage(browser, url, device);
      await page.goto(url);
      await waitForContent(page);
      await page.waitForTimeout(DRAWING_MS);
      await saveScreenshot(page, `${name} ${device.name}`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

const parts = process.argv.slice(2);
const { DATA_DIR, SCREENSHOTS = 'screenshots' } = process.env;
process.env['SCREENSHOTS'] = SCREENSHOTS;
const dataDir = DATA_DIR ?? mkdtempSync(join(tmpdir(), 'tidegate-screenshots-'));
const server = startServer(dataDir);
try {
  const root = await server.url;
  const pages = Object.entries(pathsOf(await readDemo(root))).filter(
    ([name]) => parts.length === 0 || parts.some((part) => name.includes(part)),
  );
  const targets = pages.flatMap(([name, path]) =>
    devices.map((device) => ({ name, url: `${root}${path}`, device })),
  );
  await takeScreenshots(targets);
  process.stdout.write(`${targets.length} screenshots in ${SCREENSHOTS}\n`);
} finally {
  server.process.kill('SIGTERM');
  if (DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true });
}

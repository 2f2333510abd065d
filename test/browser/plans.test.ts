import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  type Device,
  findViolations,
  hasChromium,
  openPage,
  PHONE,
} from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { passExpiry } from '../support/browser/pass-expiry.ts';
import { saveScreenshot } from '../support/browser/screenshots.ts';
import { addWallet, callCluster } from '../support/browser/standard-wallet.ts';
import { readWalletKey } from '../support/localnet/wallet-keys.ts';
import { fileScope } from '../support/processes/test-scope.ts';

/** Several transactions, one after the other, of which one is lost, on a page that is reloaded in between. */

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;
let key: Uint8Array;

const steps = (page: Page) => page.locator('.plan-steps > li');

/** Amounts of the wallet by token account. */
async function readTokens(): Promise<Record<string, string>> {
  const program = { programId: TOKEN_PROGRAM };
  const encoding = { encoding: 'jsonParsed', commitment: 'confirmed' };
  const found = await callCluster(demo.rpcUrl, 'getTokenAccountsByOwner', [
    demo.wallet,
    program,
    encoding,
  ]);
  const { value } = found as { readonly value: readonly TokenAccount[] };
  return Object.fromEntries(
    value.map(({ pubkey, account }) => [pubkey, account.data.parsed.info.tokenAmount.amount]),
  );
}

type TokenAccount = {
  readonly pubkey: string;
  readonly account: {
    readonly data: {
      readonly parsed: { readonly info: { readonly tokenAmount: { amount: string } } };
    };
  };
};

/** Enough of each debt of the demo loan to repay it. */
async function fundRepayment(): Promise<void> {
  const portfolio = await (await fetch(`${url}/portfolio/${demo.wallet}`)).json();
  const { lending } = portfolio as {
    lending: { obligation: string; borrows: { mint: string }[] }[];
  };
  const loan = lending.find(({ obligation }) => obligation === demo.obligation);
  for (const { mint } of loan?.borrows ?? []) {
    await callCluster(demo.rpcUrl, 'tidegate_airdropToken', [demo.wallet, mint, '100000000000']);
  }
}

/** The plan that closes the demo loan, with a wallet that sends what the test lets it. */
async function openPlan(device: Device) {
  const sending = { isOn: true };
  const opened = await openPage(browser, url, device);
  onTestFinished(() => opened.page.close());
  const { rpcUrl } = demo;
  const isSent = () => sending.isOn;
  await addWallet(opened.page, { key, rpcUrl, conduct: 'signs and sends', isSent });
  await opened.page.goto(`${url}/loans/${demo.obligation}`);
  await opened.page.getByRole('link', { name: 'Close loan', exact: true }).click();
  await opened.page.getByRole('button', { name: 'Check', exact: true }).click();
  return { ...opened, sending };
}

async function sign(page: Page): Promise<void> {
  await page.getByText('It would succeed.').waitFor();
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click();
}

describe.skipIf(!hasChromium)('plans', () => {
  beforeAll(async () => {
    const site = await openSite(onEnd);
    ({ url, browser, demo } = site);
    key = readWalletKey(site.dataDir, 0);
    await fundRepayment();
  });

  test('a plan that stops in the middle says what is done, and goes on after a reload', async () => {
    const { page, problems, sending } = await openPlan(PHONE);
    await page.getByRole('heading', { name: 'All transactions' }).waitFor();
    const total = await steps(page).count();
    expect(total).toBeGreaterThan(1);

    await sign(page);
    await page.getByText(/It landed in slot/).waitFor();
    const afterFirst = await readTokens();
    await page.reload();
    await page.getByText(/It landed in slot/).waitFor();
    await page.getByText('What is left is built from the present state.').waitFor();
    await page.getByRole('button', { name: 'Check the next transaction' }).click();
    await expect.poll(() => steps(page).count()).toBe(total);
    expect(await page.locator('.plan-steps > li.is-done').count()).toBe(1);

    sending.isOn = false;
    await sign(page);
    await page.getByText('Sent. Waiting for a block that has it.').waitFor();
    expect(await page.getByRole('heading', { name: 'The plan has stopped' }).count()).toBe(0);
    await passExpiry({ url, demo });
    await page.getByText('It expired. Nothing was taken.').waitFor();
    await page.getByRole('heading', { name: 'The plan has stopped' }).waitFor();
    expect(await readTokens()).toEqual(afterFirst);
    expect(await findViolations(page)).toEqual([]);
    await saveScreenshot(page, `plan-stopped-${PHONE.name}`);
    await page.reload();
    await page.getByRole('heading', { name: 'The plan has stopped' }).waitFor();

    sending.isOn = true;
    await page.getByRole('button', { name: 'Build again' }).click();
    await page.getByRole('heading', { name: 'All transactions' }).waitFor();
    const left = await steps(page).count();
    expect(left).toBe(total - 1);
    for (let step = 1; step <= left; step += 1) {
      await sign(page);
      await page.getByText(/It landed in slot/).waitFor();
      if (step < left)
        await page.getByRole('button', { name: 'Check the next transaction' }).click();
    }
    await page.getByRole('heading', { name: 'The plan is complete' }).waitFor();
    expect(await readTokens(), 'the rewards were claimed').not.toEqual(afterFirst);
    await saveScreenshot(page, `plan-complete-${PHONE.name}`);
    expect(problems).toEqual([]);
  });
});

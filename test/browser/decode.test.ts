import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { findViolations, hasChromium, openPage, WIDE } from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { jsonPoster } from '../support/http/post-json.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;

async function openDecode(query = ''): Promise<{ page: Page; problems: readonly string[] }> {
  const opened = await openPage(browser, url, WIDE);
  onTestFinished(() => opened.page.close());
  await opened.page.goto(`${url}/decode${query}`);
  await opened.page.getByRole('heading', { level: 1, name: 'Decode a transaction' }).waitFor();
  return opened;
}

async function post<Body>(path: string, body: object): Promise<Body> {
  const response = await jsonPoster({ url })(path, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body as Body;
}

async function buildDeposit(): Promise<string> {
  const { wallet, market, deposit } = demo;
  const body = { wallet, market, ...deposit };
  return (await post<{ transaction: string }>('/ktx/klend/deposit', body)).transaction;
}

const input = (page: Page) => page.getByLabel('Transaction or signature');

describe.skipIf(!hasChromium)('decode', () => {
  beforeAll(async () => {
    ({ url, browser, demo } = await openSite(onEnd));
  });

  test('a pasted transaction is shown in sentences, with accounts to open, and is in the URL', async () => {
    const { page, problems } = await openDecode();
    const transaction = await buildDeposit();
    await input(page).fill(JSON.stringify({ transaction }));
    await page.getByRole('button', { name: 'Decode' }).click();
    const sentence = new RegExp(`Deposit ${demo.deposit.amount} \\w+ into`);
    await page.getByText(sentence).click();
    await page
      .getByRole('table', { name: /^Accounts of step/ })
      .first()
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get('transaction')).toBe(transaction);
    await page.reload();
    await page.getByText(sentence).waitFor();
    expect(problems).toEqual([]);
  });

  test('a signature of a transaction that landed is decoded', async () => {
    const transaction = await buildDeposit();
    const body = { wallet: demo.wallet, transaction };
    const { signature } = await post<{ signature: string }>('/localnet/demo-wallet/send', body);
    const { page } = await openDecode(`?signature=${signature}`);
    await page.getByText(new RegExp(`Deposit ${demo.deposit.amount} \\w+ into`)).waitFor();
    await page.getByText('has signed').waitFor();
  });

  test('a signature in the list of events opens its transaction', async () => {
    const { page } = await openDecode();
    await page.goto(`${url}/`);
    const link = page.locator('section.block[aria-label="Live"] a[href*="/transactions/"]').first();
    await link.click();
    await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor();
    const signature = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(signature.length).toBeGreaterThan(80);
    await page.getByText(/^Landed\./).waitFor();
  });

  test('a signature that nobody knows is explained', async () => {
    const { page } = await openDecode(`?signature=${encodeBase58(new Uint8Array(64).fill(9))}`);
    await page.getByText('No transaction with this signature is known here').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test.each([
    ['hello', /a character is missing or too many/],
    ['AQID', /it is not a transaction/],
    ['AQI§', /“§” is neither in base64 nor in base58/],
  ])('“%s” is no transaction, and the field says why', async (text, reason) => {
    const { page } = await openDecode();
    await input(page).fill(text);
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText(reason).waitFor();
    expect(await input(page).getAttribute('aria-invalid')).toBe('true');
    expect(await findViolations(page)).toEqual([]);
  });

  test('bytes that only look like a transaction are explained by the server', async () => {
    const bytes = Buffer.alloc(200, 255);
    bytes[0] = 1;
    const { page } = await openDecode();
    await input(page).fill(bytes.toString('base64'));
    await page.keyboard.press('Control+Enter');
    await page.getByText('This is not a transaction that can be decoded').waitFor();
    await page.getByText(/^The transaction cannot be decoded: /).waitFor();
  });
});

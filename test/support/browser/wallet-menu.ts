import type { Page } from 'playwright-core';

export const walletButton = (page: Page) => page.locator('.wallet-button');
export const walletPanel = (page: Page) => page.locator('#wallet-panel');

const short = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;

export const expectConnected = (page: Page, address: string) =>
  walletButton(page).getByText(short(address)).waitFor();

export const expectDisconnected = (page: Page) => walletButton(page).getByText('Connect').waitFor();

/** Opens the menu of the frame and chooses something. */
export async function choose(page: Page, name: string): Promise<void> {
  await walletButton(page).click();
  await walletPanel(page).getByRole('button', { name, exact: true }).click();
}

export async function watchAddress(page: Page, address: string): Promise<void> {
  await walletButton(page).click();
  await page.getByLabel('Watch an address').fill(address);
  await page.keyboard.press('Enter');
  await expectConnected(page, address);
}

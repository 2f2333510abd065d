import type { Page } from 'playwright-core';

/** The exact values of a row of figures side by side, which the texts round. */
export async function readExactRow(page: Page, table: string, name: string): Promise<number[]> {
  const row = page.getByRole('table', { name: table }).getByRole('row', { name }).first();
  await row.waitFor();
  const cells = await row.locator('data').all();
  return Promise.all(cells.map(async (cell) => Number(await cell.getAttribute('value'))));
}

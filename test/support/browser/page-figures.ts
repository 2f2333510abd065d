import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Json } from './frozen-api.ts';

export const blockOf = (page: Page, title: string): Locator =>
  page.locator(`section.block[aria-label="${title}"]`);

const readValue = async (place: Locator): Promise<number> =>
  Number((await place.locator('data').first().getAttribute('value')) ?? Number.NaN);

export const readStat = (block: Locator, label: string): Promise<number> =>
  readValue(block.locator('.stat').filter({ has: block.page().locator(`dt:text-is("${label}")`) }));

/** Figures of a block by their labels, as soon as they are as expected. */
export async function expectStats(block: Locator, expected: Readonly<Record<string, number>>) {
  const labels = Object.keys(expected);
  for (const [label, figure] of Object.entries(expected)) {
    expect(Number.isFinite(figure), label).toBe(true);
  }
  await expect
    .poll(async () => rounded(await Promise.all(labels.map((label) => readStat(block, label)))))
    .toEqual(rounded(Object.values(expected)));
}

/** Figures of a table row in the given columns. The row links to the address. */
export async function expectCells(
  block: Locator,
  address: string,
  expected: Readonly<Record<string, number>>,
) {
  const row = block
    .locator('tbody tr')
    .filter({ has: block.page().locator(`a[href*="${address}"]`) })
    .first();
  const read = (title: string) => readValue(row.locator(`td[data-title="${title}"]`));
  await expect
    .poll(async () => rounded(await Promise.all(Object.keys(expected).map(read))))
    .toEqual(rounded(Object.values(expected)));
}

export const rounded = (values: readonly number[]): string[] =>
  values.map((value) => value.toPrecision(9));

export const total = (items: readonly Json[], ...keys: readonly string[]): number =>
  items.reduce((sum, item) => sum + keys.reduce((part, key) => part + item.at(key).number, 0), 0);

/** Figures of a column from top to bottom, sorted. */
export const columnOf = async (block: Locator, title: string): Promise<string[]> => {
  const cells = await block.locator(`td[data-title="${title}"] data`).all();
  const values = await Promise.all(cells.map((cell) => cell.getAttribute('value')));
  return rounded(values.map(Number)).sort();
};

import { expect, test } from 'vitest';
import { sharePriceHistory } from './share-price-history.ts';

test('a point without shares is a gap', () => {
  const { positions, series } = sharePriceHistory([
    { timestamp: '2026-01-01T00:00:00.000Z', sharePrice: '0' },
    { timestamp: '2026-01-02T00:00:00.000Z', sharePrice: '1.0021' },
  ]);
  expect(positions).toEqual([Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)]);
  expect(series.map(({ values }) => values)).toEqual([[null, '1.0021']]);
});

import { toAddress } from '@tidegate/core/base';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReserveConfigCache } from './reserve-points.ts';

const address = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
const { offsets, size } = reserve;

const withByte = (place: number): Uint8Array => {
  const data = new Uint8Array(size).fill(7);
  data[place] = 8;
  return data;
};

test('a reserve of which only amounts moved has the settings that it had, the very same bytes', () => {
  const settings = new ReserveConfigCache();
  const before = settings.of(address, withByte(offsets.lastUpdate));
  expect(settings.of(address, withByte(offsets.lastUpdate + 9))).toBe(before);
  expect(settings.of(address, withByte(offsets.borrowedAmountOutsideElevationGroup))).toBe(before);
});

test('any byte that stays in the settings makes new ones where it changes', () => {
  const plain = new Uint8Array(size).fill(7);
  const kept = new ReserveConfigCache().of(address, plain);
  fc.assert(
    fc.property(fc.nat(size - 1), (place) => {
      const settings = new ReserveConfigCache();
      const before = settings.of(address, plain);
      const after = settings.of(address, withByte(place));
      expect(after === before).toBe(kept[place] === 0);
      expect(after[place]).toBe(kept[place] === 0 ? 0 : 8);
    }),
  );
});

test('settings of one reserve say nothing of another', () => {
  const settings = new ReserveConfigCache();
  const other = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');
  const data = withByte(offsets.lendingMarket);
  expect(settings.of(other, data)).not.toBe(settings.of(address, data));
});

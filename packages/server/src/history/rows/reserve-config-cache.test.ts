import { toAddress } from '@tidegate/core/base';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { ReserveConfigCache } from './reserve-points.ts';

const address = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
const { offsets, size } = reserve;

const withByte = (offset: number): Uint8Array => {
  const data = new Uint8Array(size).fill(7);
  data[offset] = 8;
  return data;
};

test('a reserve whose amounts changed has the identical configuration bytes', () => {
  const cache = new ReserveConfigCache();
  const before = cache.configBytes(address, withByte(offsets.lastUpdate));
  expect(cache.configBytes(address, withByte(offsets.lastUpdate + 9))).toBe(before);
  expect(cache.configBytes(address, withByte(offsets.borrowedAmountOutsideElevationGroup))).toBe(
    before,
  );
});

test('property: a change of any configuration byte yields a new configuration', () => {
  const plain = new Uint8Array(size).fill(7);
  const configBytes = new ReserveConfigCache().configBytes(address, plain);
  assertProperty(
    fc.property(fc.nat(size - 1), (offset) => {
      const cache = new ReserveConfigCache();
      const before = cache.configBytes(address, plain);
      const after = cache.configBytes(address, withByte(offset));
      expect(after === before).toBe(configBytes[offset] === 0);
      expect(after[offset]).toBe(configBytes[offset] === 0 ? 0 : 8);
    }),
    100,
  );
});

test('reserves do not share configurations', () => {
  const cache = new ReserveConfigCache();
  const other = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');
  const data = withByte(offsets.lendingMarket);
  expect(cache.configBytes(other, data)).not.toBe(cache.configBytes(address, data));
});

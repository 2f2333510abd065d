import { toSlot } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { priceAtSlot } from './price-walk.ts';

const anchor = { value: 10_000_000_000n, slot: toSlot(400_000_000n) };
const walk = (key: string, isStable = false) => ({ key, isStable });
const slots = fc.bigInt(400_000_000n, 480_000_000n).map(toSlot);
const keys = fc.string({ maxLength: 8 });

test('a price starts at its anchor', () => {
  expect(priceAtSlot(walk('a'), anchor, anchor.slot)).toBe(anchor.value);
});

test('a price moves in almost every slot', () => {
  const values = new Set<bigint>();
  for (let i = 1n; i <= 1_000n; i++) {
    values.add(priceAtSlot(walk('a'), anchor, toSlot(anchor.slot + i)));
  }
  expect(values.size).toBeGreaterThan(900);
});

test('the walk depends on the seed only', () => {
  const later = toSlot(anchor.slot + 5_000n);
  expect(priceAtSlot(walk('a'), anchor, later)).toBe(priceAtSlot(walk('a'), anchor, later));
  expect(priceAtSlot(walk('a'), anchor, later)).not.toBe(priceAtSlot(walk('b'), anchor, later));
});

test('property: the price stays within four percent of its anchor, a stablecoin within 0.1 percent', () => {
  assertProperty(
    fc.property(keys, slots, (key, slot) => {
      const distance = (isStable: boolean) => {
        const moved = priceAtSlot(walk(key, isStable), anchor, slot) - anchor.value;
        return moved < 0n ? -moved : moved;
      };
      expect(distance(false)).toBeLessThan(anchor.value / 25n);
      expect(distance(true)).toBeLessThan(anchor.value / 1_000n);
    }),
    100,
  );
});

test('property: the price moves less than 0.02 percent per slot', () => {
  assertProperty(
    fc.property(keys, slots, (key, slot) => {
      const now = priceAtSlot(walk(key), anchor, slot);
      const next = priceAtSlot(walk(key), anchor, toSlot(slot + 1n));
      const step = next > now ? next - now : now - next;
      expect(step).toBeLessThan(anchor.value / 5_000n);
    }),
    100,
  );
});

test('property: a walk can continue from any point', () => {
  assertProperty(
    fc.property(keys, slots, slots, (key, middle, end) => {
      const values = priceAtSlot(walk(key), anchor, middle);
      const continued = priceAtSlot(walk(key), { value: values, slot: middle }, end);
      const direct = priceAtSlot(walk(key), anchor, end);
      const difference = continued > direct ? continued - direct : direct - continued;
      expect(difference).toBeLessThanOrEqual(2n);
    }),
    100,
  );
});

import { toSlot } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceAtSlot } from './price-walk.ts';

const anchor = { value: 10_000_000_000n, slot: toSlot(400_000_000n) };
const walk = (key: string, isStable = false) => ({ key, isStable });
const slots = fc.bigInt(400_000_000n, 480_000_000n).map(toSlot);
const keys = fc.string({ maxLength: 8 });

test('a price begins where it was seen', () => {
  expect(priceAtSlot(walk('a'), anchor, anchor.slot)).toBe(anchor.value);
});

test('it moves: of a thousand slots hardly any two are alike', () => {
  const seen = new Set<bigint>();
  for (let i = 1n; i <= 1_000n; i++) {
    seen.add(priceAtSlot(walk('a'), anchor, toSlot(anchor.slot + i)));
  }
  expect(seen.size).toBeGreaterThan(900);
});

test('another seed goes another way, the same one the same', () => {
  const later = toSlot(anchor.slot + 5_000n);
  expect(priceAtSlot(walk('a'), anchor, later)).toBe(priceAtSlot(walk('a'), anchor, later));
  expect(priceAtSlot(walk('a'), anchor, later)).not.toBe(priceAtSlot(walk('b'), anchor, later));
});

test('property: it stays within four percent of where it began, a dollar within 0.1 percent', () => {
  fc.assert(
    fc.property(keys, slots, (key, slot) => {
      const away = (isStable: boolean) => {
        const moved = priceAtSlot(walk(key, isStable), anchor, slot) - anchor.value;
        return moved < 0n ? -moved : moved;
      };
      expect(away(false)).toBeLessThan(anchor.value / 25n);
      expect(away(true)).toBeLessThan(anchor.value / 1_000n);
    }),
  );
});

test('property: from one slot to the next it moves by less than two hundredths of a percent', () => {
  fc.assert(
    fc.property(keys, slots, (key, slot) => {
      const now = priceAtSlot(walk(key), anchor, slot);
      const next = priceAtSlot(walk(key), anchor, toSlot(slot + 1n));
      const step = next > now ? next - now : now - next;
      expect(step).toBeLessThan(anchor.value / 5_000n);
    }),
  );
});

test('property: a price goes on from any point as if it had been followed all the time', () => {
  fc.assert(
    fc.property(keys, slots, slots, (key, middle, end) => {
      const seen = priceAtSlot(walk(key), anchor, middle);
      const onwards = priceAtSlot(walk(key), { value: seen, slot: middle }, end);
      const direct = priceAtSlot(walk(key), anchor, end);
      const difference = onwards > direct ? onwards - direct : direct - onwards;
      expect(difference).toBeLessThanOrEqual(2n);
    }),
  );
});

import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { SlotWitnesses } from './slot-witnesses.ts';

/** Sources of a cluster at slot 1,000,000, whose slots take 400 ms. */
function setUp() {
  const time = { now: 5_000 };
  const witnesses = new SlotWitnesses({ now: () => time.now, maxLagSlots: 100n, log: silentLog });
  const add = (name: string) => {
    const witness = witnesses.add(name);
    return (slot: bigint, before?: bigint) =>
      witness.report(toSlot(slot), before === undefined ? undefined : toSlot(before));
  };
  const pass = (slots: number) => {
    time.now += slots * 400;
  };
  return { time, add, pass, newest: () => witnesses.newestSlot() };
}

const LEAP = 'it is at slot 1400000, which no other source has reached: the newest slot is 1000000';

test('a leap of one of two sources is not believed, also not while it lasts', () => {
  const { add, pass, newest } = setUp();
  const [healthy, wrong] = [add('a'), add('b')];
  expect([healthy(1_000_000n), wrong(1_000_000n)]).toEqual([undefined, undefined]);
  expect(wrong(1_400_000n)).toBe(LEAP);
  for (let slot = 1n; slot <= 500n; slot++) {
    pass(1);
    expect(healthy(1_000_000n + slot)).toBeUndefined();
    expect(wrong(1_400_000n + slot)).toContain('which no other source has reached');
  }
  expect(newest()).toBe(1_000_500n);
});

test('a leap is believed as soon as a second source has reached it', () => {
  const { add, newest } = setUp();
  const [first, second] = [add('a'), add('ws')];
  first(1_000_000n);
  second(1_000_000n);
  expect(first(1_400_000n)).toBe(LEAP);
  expect(second(1_399_990n)).toBeUndefined();
  expect(newest()).toBe(1_399_990n);
  expect(first(1_400_001n)).toBeUndefined();
});

test('an old report is no witness', () => {
  const { add, pass, newest } = setUp();
  const [first, second] = [add('a'), add('b')];
  first(1_000_000n);
  second(1_000_000n);
  expect(second(1_400_000n)).toBe(LEAP);
  pass(76);
  expect(first(1_400_000n)).toContain('which no other source has reached');
  expect(newest()).toBe(1_000_000n);
});

test('slots that time explains need no witness', () => {
  const { add, pass, newest } = setUp();
  const only = add('a');
  only(1_000_000n);
  pass(10_000);
  expect(only(1_010_000n)).toBeUndefined();
  expect(newest()).toBe(1_010_000n);
});

test('many small leaps are one', () => {
  const { add, newest } = setUp();
  const only = add('a');
  only(1_000_000n);
  expect(only(1_000_060n)).toBeUndefined();
  expect(only(1_000_120n)).toContain('which no other source has reached');
  expect(newest()).toBe(1_000_060n);
});

test('the leap of a single source is believed when it has gone on for a minute', () => {
  const { add, pass, newest } = setUp();
  const only = add('a');
  only(1_000_000n);
  for (let slot = 0n; slot < 150n; slot++) {
    expect(only(1_400_000n + slot)).toContain('which no other source has reached');
    pass(1);
  }
  expect(only(1_400_150n)).toBeUndefined();
  expect(newest()).toBe(1_400_150n);
});

test('a leap that ends is forgotten, and a later one starts over', () => {
  const { add, pass } = setUp();
  const only = add('a');
  only(1_000_000n);
  for (let slot = 0n; slot < 140n; slot++) {
    only(1_400_000n + slot);
    pass(1);
  }
  expect(only(1_000_140n)).toBeUndefined();
  for (let slot = 150n; slot < 170n; slot++) {
    expect(only(1_400_000n + slot)).toContain('which no other source has reached');
    pass(1);
  }
});

test('if two sources differ from the start, the lower slot counts until a third decides', () => {
  const { add, newest } = setUp();
  const [wrong, healthy, stream] = [add('a'), add('b'), add('ws')];
  wrong(1_400_000n);
  expect(newest()).toBe(1_400_000n);
  expect(healthy(1_000_000n)).toBeUndefined();
  expect(newest()).toBe(1_000_000n);
  expect(wrong(1_400_000n)).toBe(LEAP);
  // the stream says that the first endpoint was right
  expect(stream(1_400_000n)).toBeUndefined();
  expect(newest()).toBe(1_400_000n);
});

test('a believed leap is taken back when it proves false for 30 s', () => {
  const { add, pass, newest } = setUp();
  const [http, stream] = [add('a'), add('ws')];
  http(1_000_000n);
  stream(1_000_000n);
  http(1_005_000n);
  expect(stream(1_005_000n)).toBeUndefined();
  for (let slot = 1n; slot <= 75n; slot++) {
    pass(1);
    http(1_000_000n + slot);
    expect(newest()).toBe(1_005_000n);
  }
  pass(1);
  http(1_000_076n);
  expect(newest()).toBe(1_000_076n);
  expect(stream(1_000_077n)).toBeUndefined();
});

test('a large response is old when it arrives, which takes nothing back', () => {
  const { add, pass, newest } = setUp();
  const only = add('a');
  only(1_000_000n);
  pass(500);
  only(1_000_500n);
  pass(500);
  expect(only(1_000_000n, 1_000_000n)).toBeUndefined();
  pass(100);
  only(1_000_010n, 1_000_000n);
  expect(newest()).toBe(1_000_500n);
});

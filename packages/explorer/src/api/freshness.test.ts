import { readFreshness } from '@tidegate/client';
import { expect, test } from 'vitest';
import { freshnessNotes, keepEstimates } from './freshness.ts';

const NOW = Date.UTC(2026, 10, 16, 12, 0, 0);
const options = { now: NOW, locale: 'en-GB', timeZone: 'UTC' };

const read = (headers: Record<string, string>, receivedAt = NOW) => ({
  ...readFreshness(
    new Headers({
      'x-env': 'localnet',
      'x-slot': '526204357',
      'x-block-time': '2026-11-16T11:59:58.000Z',
      'x-data-age': '1910',
      ...headers,
    }),
  ),
  receivedAt,
});

const textsOf = (headers: Record<string, string>) =>
  freshnessNotes([read(headers)], options).map(({ kind, text, details }) => [
    kind,
    text,
    ...details,
  ]);

const SLOT = ['slot', 'True for slot 526,204,357 · 16 Nov 2026, 11:59:58'];

test('every block says the slot and the time that it is true for', () => {
  expect(textsOf({})).toEqual([SLOT]);
});

test('the oldest slot of several responses counts', () => {
  const notes = freshnessNotes([read({}), read({ 'x-slot': '526204300' })], options);
  expect(notes[0]?.text).toMatch(/^True for slot 526,204,300 /);
});

test('a response without a slot has no notes', () => {
  expect(freshnessNotes([{ ...readFreshness(new Headers()), receivedAt: NOW }], options)).toEqual(
    [],
  );
});

test('data is stale from 30 seconds on, counted from the slot and not from the response', () => {
  const noted = (ageMs: number, receivedAgoMs: number) =>
    freshnessNotes([read({ 'x-data-age': String(ageMs) }, NOW - receivedAgoMs)], options).map(
      ({ text }) => text,
    );
  expect(noted(29_999, 0)).toHaveLength(1);
  expect(noted(30_000, 0)[1]).toBe('Stale: 30 sec old');
  expect(noted(0, 125_000)[1]).toBe('Stale: 2 min old');
});

test('gaps are counted and listed in order', () => {
  const header =
    '2026-11-16T10:00:00.000Z/2026-11-16T10:30:00.000Z, 2026-11-15T00:00:00.000Z/2026-11-15T01:00:00.000Z';
  expect(textsOf({ 'x-gaps': header })[1]).toEqual([
    'gaps',
    'Nothing recorded in 2 intervals (1 hr)',
    '15 Nov 2026, 00:00:00 – 15 Nov 2026, 01:00:00',
    '16 Nov 2026, 10:00:00 – 16 Nov 2026, 10:30:00',
  ]);
});

test('a gap that two responses report counts once', () => {
  const header = { 'x-gaps': '2026-11-16T10:00:00.000Z/2026-11-16T10:30:00.000Z' };
  const notes = freshnessNotes([read(header), read(header)], options);
  expect(notes[1]?.text).toBe('Nothing recorded in one interval (30 min)');
});

test('estimated fields are named in words', () => {
  expect(textsOf({ 'x-estimated': 'apy24h, apy365d' })[1]).toEqual([
    'estimated',
    '* Estimated from another period: APY of 24 hours, APY of 365 days',
  ]);
});

test('a block names the estimated fields that it shows, and no others', () => {
  const noted = (shown: readonly string[]) =>
    freshnessNotes(
      [keepEstimates(read({ 'x-estimated': 'apy30d, apy365d, interestUsd' }), shown)],
      options,
    ).map(({ kind, text }) => [kind, text]);
  expect(noted(['apy7d', 'apy30d'])).toEqual([
    SLOT,
    ['estimated', '* Estimated from another period: APY of 30 days'],
  ]);
  expect(noted([])).toEqual([SLOT]);
});

test('stale prices have their age', () => {
  expect(textsOf({ 'x-stale-prices': 'MintA;age=240' })[1]).toEqual([
    'stale-prices',
    'One price is older than its reserve accepts',
    'MintA: 4 min old',
  ]);
});

test('omitted accounts have their reason, which may contain commas, and the rest is counted', () => {
  const header =
    'AccountA;reason="size 12, expected 8624", AccountB;reason="unknown", more;count=3';
  expect(textsOf({ 'x-omitted': header })[1]).toEqual([
    'omitted',
    '5 accounts are left out',
    'AccountA: size 12, expected 8624',
    'AccountB: unknown',
    'and 3 more',
  ]);
});

test('rules that no figure includes are named', () => {
  const header = 'ReserveA;rule="reserve rewards";field="rewardRate";value="7"';
  expect(textsOf({ 'x-unmodeled-rules': header })[1]).toEqual([
    'rules',
    'One active rule is not in these figures',
    'ReserveA: reserve rewards (rewardRate = 7)',
  ]);
});

test('a kind of accounts whose figures are not proven is named with the reason', () => {
  const header =
    'reserve;code=unknownBytes;since=437203959;detail="byte 8600 (padding) of A is not zero"';
  expect(textsOf({ 'x-unproven': header })[1]).toEqual([
    'unproven',
    'One reason why these figures may differ from those of the program',
    'reserve: byte 8600 (padding) of A is not zero, since slot 437203959',
  ]);
});

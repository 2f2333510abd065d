import { readFreshness } from '@tidegate/client';
import { expect, test } from 'vitest';
import {
  ageNotes,
  agreeingResponses,
  agreementNotes,
  freshnessNotes,
  keepEstimates,
} from './freshness.ts';

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

const SLOT = 'True for slot 526,204,357 · 16 Nov 2026, 11:59:58';

/** A response whose slot was this many seconds before the others. */
const readEarlier = (seconds: number) =>
  read({
    'x-slot': String(526204357 - Math.ceil(2.5 * seconds)),
    'x-block-time': new Date(NOW - 2_000 - 1_000 * seconds).toISOString(),
  });

const texts = (notes: ReturnType<typeof freshnessNotes>) => notes.map(({ text }) => text);

test('a page says the slot and the time that it is true for once', () => {
  expect(texts(agreementNotes([read({}), read({})], options))).toEqual([SLOT]);
  expect(agreementNotes([], options)).toEqual([]);
});

test('blocks agree up to 30 seconds, and the page says how much older some are', () => {
  const responses = [readEarlier(30), read({})];
  expect(agreeingResponses(responses)).toEqual(responses);
  expect(texts(agreementNotes(responses, options))).toEqual([
    `${SLOT} · parts are up to 30 sec older`,
  ]);
});

test('an older block differs: it says its own slot, and the page does not count it', () => {
  const older = readEarlier(31);
  expect(agreeingResponses([older, read({})])).toEqual([read({})]);
  expect(texts(agreementNotes([older, read({})], options))).toEqual([SLOT]);
  expect(texts(ageNotes(older, options))[0]).toMatch(/^True for slot 526,204,279 · /);
});

test('without a time only the same slot agrees', () => {
  const undated = { ...readEarlier(1), blockTimeMs: undefined };
  expect(agreeingResponses([undated, read({})])).toEqual([read({})]);
});

test('the slot is not repeated under each block', () => {
  expect(textsOf({})).toEqual([]);
});

test('a response without a slot has no notes', () => {
  expect(freshnessNotes([{ ...readFreshness(new Headers()), receivedAt: NOW }], options)).toEqual(
    [],
  );
});

test('data is stale from 30 seconds on, counted from the slot and not from the response', () => {
  const noted = (ageMs: number, receivedAgoMs: number) =>
    texts(agreementNotes([read({ 'x-data-age': String(ageMs) }, NOW - receivedAgoMs)], options));
  expect(noted(29_999, 0)).toHaveLength(1);
  expect(noted(30_000, 0)[1]).toBe('Stale: 30 sec old');
  expect(noted(0, 125_000)[1]).toBe('Stale: 2 min old');
});

test('gaps are counted and listed in order', () => {
  const header =
    '2026-11-16T10:00:00.000Z/2026-11-16T10:30:00.000Z, 2026-11-15T00:00:00.000Z/2026-11-15T01:00:00.000Z';
  expect(textsOf({ 'x-gaps': header })[0]).toEqual([
    'gaps',
    'Nothing recorded in 2 intervals (1 hr)',
    '15 Nov 2026, 00:00:00 – 15 Nov 2026, 01:00:00',
    '16 Nov 2026, 10:00:00 – 16 Nov 2026, 10:30:00',
  ]);
});

test('a gap that two responses report counts once', () => {
  const header = { 'x-gaps': '2026-11-16T10:00:00.000Z/2026-11-16T10:30:00.000Z' };
  const notes = freshnessNotes([read(header), read(header)], options);
  expect(notes[0]?.text).toBe('Nothing recorded in one interval (30 min)');
});

test('estimated fields are named in words', () => {
  expect(textsOf({ 'x-estimated': 'apy24h, apy365d' })[0]).toEqual([
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
    ['estimated', '* Estimated from another period: APY of 30 days'],
  ]);
  expect(noted([])).toEqual([]);
});

test('stale prices have their age', () => {
  expect(textsOf({ 'x-stale-prices': 'MintA;age=240' })[0]).toEqual([
    'stale-prices',
    'One price is older than its reserve accepts',
    'MintA: 4 min old',
  ]);
});

test('omitted accounts have their reason, which may contain commas, and the rest is counted', () => {
  const header =
    'AccountA;reason="size 12, expected 8624", AccountB;reason="unknown", more;count=3';
  expect(textsOf({ 'x-omitted': header })[0]).toEqual([
    'omitted',
    '5 accounts are left out',
    'AccountA: size 12, expected 8624',
    'AccountB: unknown',
    'and 3 more',
  ]);
});

test('rules that no figure includes are named', () => {
  const header = 'ReserveA;rule="reserve rewards";field="rewardRate";value="7"';
  expect(textsOf({ 'x-unmodeled-rules': header })[0]).toEqual([
    'rules',
    'One active rule is not in these figures',
    'ReserveA: reserve rewards (rewardRate = 7)',
  ]);
});

test('a kind of accounts whose figures are not proven is named with the reason', () => {
  const header =
    'reserve;code=unknownBytes;since=437203959;detail="byte 8600 (padding) of A is not zero"';
  expect(textsOf({ 'x-unproven': header })[0]).toEqual([
    'unproven',
    'One reason why these figures may differ from those of the program',
    'reserve: byte 8600 (padding) of A is not zero, since slot 437203959',
  ]);
});

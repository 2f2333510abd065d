import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { toSlot } from '../../base/time.ts';
import { listScheduledReleases, namesReleases, rulesOfReleases } from './named-releases.ts';
import { mainnetRulesAt, NEWEST_RULES } from './program-rules.ts';

const basisAt = (text: string, slot: bigint) =>
  rulesOfReleases(text)(toSlot(slot)).lending.accrualBasis;

test('programs that are not named follow their newest release', () => {
  const rules = rulesOfReleases('klend@1.16')(toSlot(0n));
  expect(rules.lending.compounding).toBe('powers first');
  expect(rules.vaults).toBe(NEWEST_RULES.vaults);
  expect(rules.farms).toBe(NEWEST_RULES.farms);
});

test('a release with a slot replaces the one before it in that slot', () => {
  const text = 'klend@1.24,klend@1.25:500,kvault@2.1.1,kvault@2.3.0:700';
  expect([0n, 499n, 500n, 10n ** 12n].map((slot) => basisAt(text, slot))).toEqual([
    'slots',
    'slots',
    'of the reserve',
    'of the reserve',
  ]);
  const vaultsAt = (slot: bigint) => rulesOfReleases(text)(toSlot(slot)).vaults.permissioning;
  expect([0n, 500n, 699n, 700n].map(vaultsAt)).toEqual(['none', 'none', 'none', 'authority']);
});

test('the order of the names does not matter, and rules of one period are one object', () => {
  const rulesAt = rulesOfReleases('klend@1.25:500,klend@1.24');
  expect(rulesAt(toSlot(499n)).lending.accrualBasis).toBe('slots');
  expect(rulesAt(toSlot(500n))).toBe(rulesAt(toSlot(501n)));
  expect(rulesAt(toSlot(500n))).not.toBe(rulesAt(toSlot(499n)));
});

test('"mainnet" stands for the releases that mainnet ran', () => {
  expect(rulesOfReleases('mainnet')).toBe(mainnetRulesAt);
  expect(basisAt('mainnet', 440_486_774n)).toBe('slots');
  expect(basisAt('mainnet', 440_486_775n)).toBe('of the reserve');
  expect(mainnetRulesAt(toSlot(0n))).toBe(mainnetRulesAt(toSlot(1n)));
});

test.each([
  ['klend@9.9', 'klend@9.9'],
  ['scope@1.0', 'scope@1.0'],
  ['klend@1.25:500', 'klend@1.25:500 without the release before it'],
  ['klend@1.24,kvault@2.3.0:500', 'kvault@2.3.0:500 without the release before it'],
])('%s is refused', (text, named) => {
  const error = catchError(() => rulesOfReleases(text));
  expect(error?.code).toBe('UNKNOWN_RELEASE');
  expect(error?.message).toContain(named);
});

test.each([
  ['mainnet', true],
  ['klend@1.16', true],
  ['klend@1.24,klend@1.25:440486775', true],
  ['programs', false],
  ['./klend@1.16', false],
  ['klend@1.16,', false],
  ['klend@1.16:', false],
  ['', false],
])('that %s names releases is %s', (text, expected) => {
  expect(namesReleases(text)).toBe(expected);
});

const scheduled = (text: string) =>
  listScheduledReleases(text).map(({ program, version, from }) => `${program}@${version}:${from}`);

test('the scheduled releases are those of the table, by their first slots', () => {
  expect(scheduled('')).toEqual([
    'klend@1.25:0',
    'kvault@2.3.0:0',
    'farms@1.6.5:0',
    'scope@0.40.0:0',
  ]);
  expect(scheduled('klend@1.25:500,klend@1.16')).toEqual([
    'kvault@2.3.0:0',
    'farms@1.6.5:0',
    'scope@0.40.0:0',
    'klend@1.11:0',
    'klend@1.25:500',
  ]);
  expect(scheduled('mainnet')).toContain('kvault@2.2.2:432874668');
  expect(scheduled('mainnet')).not.toContain('farms@1.7.0:0');
  expect(catchError(() => listScheduledReleases('klend@9.9'))?.code).toBe('UNKNOWN_RELEASE');
});

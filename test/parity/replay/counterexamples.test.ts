import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { replayCounterexample, toCounterexample } from '#localnet/replay/counterexample.ts';
import { formatCounterexample, parseCounterexample } from '#localnet/replay/counterexample-text.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import { flowSnapshots } from '../../support/flows/flow-snapshots.ts';
import { RECORDED_BUILD_RULES } from '../../support/golden/recorded-build.ts';
import { assertProperty } from '../../support/properties/assert-property.ts';
import { changedResponse } from '../../support/replay/changed-response.ts';
import { observedFlow } from '../../support/replay/golden-slots.ts';

const folder = new URL('../../fixtures/counterexamples/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const readFile = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** What a server finds that believes in other rules than the cluster has. */
const RELEASES = { klend: '1.25', kvault: '2.3.0', farms: '1.6.5' };
const examples = flowSnapshots()
  .map(observedFlow)
  .flatMap((slot) => {
    const found = replaySlot(slot, NEWEST_RULES);
    const isDiffering = found.accounts.some(({ verdict }) => verdict === 'differing');
    return isDiffering ? toCounterexample(slot, NEWEST_RULES, RELEASES) : [];
  });

test.each(files)('%s is explained: everything is proven', (name) => {
  const { accounts, transactions } = replayCounterexample(parseCounterexample(readFile(name)));
  expect(accounts.length).toBeGreaterThan(0);
  for (const { verdict } of [...accounts, ...transactions]) expect(verdict).toBe('proven');
});

test.each(files)('%s names differences of its replay at the time', (name) => {
  expect(parseCounterexample(readFile(name)).differences.length).toBeGreaterThan(0);
});

test('a counterexample shows the same differences offline, and none under the right rules', () => {
  expect(examples.length).toBeGreaterThan(30);
  for (const example of examples) {
    const parsed = parseCounterexample(formatCounterexample(example));
    const offline = replayCounterexample(parsed, NEWEST_RULES);
    const fields = offline.accounts.flatMap(({ address, differences = [] }) =>
      differences.map(({ field }) => `${address} ${field}`),
    );
    const found = example.differences.map(({ subject, field }) => `${subject} ${field}`);
    expect(fields).toEqual(found);
    const explained = replayCounterexample(parsed, RECORDED_BUILD_RULES);
    for (const { verdict } of explained.accounts) expect(verdict).toBe('proven');
  }
});

test('a counterexample has the accounts of its transactions and no others', () => {
  const [slot] = flowSnapshots().map(observedFlow);
  const [example] = examples;
  expect(example?.slot.before.size).toBeLessThan((slot?.before.size ?? 0) / 2);
  expect(example?.ours.size).toBe(new Set(example?.differences.map(({ subject }) => subject)).size);
});

test.each([
  ['', 'Unexpected end'],
  ['{}', 'its version is not 1'],
  ['[]', 'the document is not an object'],
])('%j is not a counterexample', (text, reason) => {
  expect(() => parseCounterexample(text)).toThrow(reason);
});

test('property: a changed file is refused with a reason, or replayed', () => {
  const document: unknown = JSON.parse(readFile(files[0] ?? ''));
  const picks = fc.tuple(fc.nat(), fc.jsonValue());
  assertProperty(
    fc.property(picks, ([position, value]) => {
      const text = JSON.stringify(changedResponse(document, position, value));
      try {
        const { accounts } = replayCounterexample(parseCounterexample(text ?? ''));
        expect(accounts.length).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toBeInstanceOf(CodedError);
      }
    }),
    60,
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import type { Answer, JsonValue } from './answer.ts';
import { fitData } from './fit-data.ts';
import { MAX_ANSWER_LENGTH, renderAnswer } from './render-answer.ts';

const freshness = {
  env: 'mainnet-beta',
  slot: 380_000_000n,
  blockTime: '2026-09-21T14:13:20.000Z',
  commitment: 'confirmed',
  ageMs: 412,
};
const small: Answer = { lines: ['Two.'], data: { rows: [1, 2] }, freshness, notes: [] };

test('an answer says in words which slot it is of and how old it is', () => {
  const { text, structured } = renderAnswer(small);
  const sentence =
    'State of mainnet-beta at slot 380000000 (confirmed), block time 2026-09-21T14:13:20.000Z, received 0.4 seconds ago.';
  expect(text.split('\n')).toContain(sentence);
  expect(structured).toMatchObject({ freshness: sentence, slot: '380000000', ageSeconds: 0.4 });
  const old = renderAnswer({ ...small, freshness: { ...freshness, ageMs: 61_000 } });
  expect(old.text).toContain('received 61.0 seconds ago. This is old: the server lags');
});

test('the text and the structured content are each complete', () => {
  const { text, structured } = renderAnswer({ ...small, notes: ['One price is old.'] });
  expect(structured).toMatchObject({
    summary: 'Two.',
    data: { rows: [1, 2] },
    notes: ['One price is old.'],
  });
  expect(text).toContain('Two.');
  expect(text).toContain('Note: One price is old.');
  expect(text).toContain('Data: {"rows":[1,2]}');
});

test('a list that is too long is cut, and the answer says by how many', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `row number ${index}`);
  const { text, structured } = renderAnswer({ ...small, data: { rows } });
  const { data, leftOff } = structured as { data: { rows: string[] }; leftOff: string[] };
  expect(data.rows.length).toBeGreaterThan(100);
  expect(data.rows).toEqual(rows.slice(0, data.rows.length));
  expect(leftOff).toEqual([
    `${1000 - data.rows.length} more of rows were left off. Ask for a narrower subject, or a part of the list.`,
  ]);
  expect(text).toContain(leftOff[0]);
});

test('a transaction is never cut, whatever else the answer has', () => {
  const transaction = 'A'.repeat(1644);
  const rows = Array.from({ length: 5000 }, (_, index) => ({ index, text: 'x'.repeat(100) }));
  const { text, structured } = renderAnswer({ ...small, data: { rows }, exact: { transaction } });
  expect(structured['transaction']).toBe(transaction);
  expect(text).toContain(`transaction: ${transaction}\n`);
});

test('the longest of two lists is cut first', () => {
  const data = { short: ['a', 'b'], long: Array.from({ length: 64 }, () => 'x'.repeat(20)) };
  const fitted = fitData(data, 800);
  expect(fitted.data['short']).toEqual(['a', 'b']);
  expect(fitted.leftOff).toEqual({ long: 32 });
});

const anyJson = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 60 }),
    fc.dictionary(fc.string({ maxLength: 30 }), tie('value'), { maxKeys: 12 }),
  ),
})).value;

test('property: no answer is longer than the limit', () => {
  const lines = fc.array(fc.string({ unit: 'binary', maxLength: 900 }), { maxLength: 80 });
  const data = fc.dictionary(fc.string({ maxLength: 20 }), anyJson, { maxKeys: 20 });
  assertProperty(
    fc.property(lines, lines, data, (words, notes, figures) => {
      const answer = { lines: words, notes, next: notes, data: figures, freshness };
      const { text, structured } = renderAnswer({
        ...answer,
        exact: { transaction: 'A'.repeat(1644) },
      });
      expect(text.length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
      expect(JSON.stringify(structured).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
    }),
    50,
  );
});

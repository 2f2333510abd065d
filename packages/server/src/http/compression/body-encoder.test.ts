import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import {
  type BodyEncoder,
  type BodyPart,
  GzipEncoder,
  PlainEncoder,
  partLength,
} from './body-encoder.ts';
import { deflateText } from './deflated-text.ts';

type Form = 'text' | 'deflated' | 'both';

function partOf(content: string, form: Form): BodyPart {
  const text = Buffer.from(content);
  if (form === 'text') return { text };
  const deflated = deflateText(text);
  return form === 'deflated' ? { deflated } : { text, deflated };
}

const short = fc.string({ maxLength: 200, unit: 'grapheme' });
const long = fc
  .tuple(short, fc.integer({ min: 1, max: 900 }))
  .map(([text, count]) => text.repeat(count));
const forms = fc.constantFrom<Form>('text', 'deflated', 'both');
const contents = fc.array(fc.tuple(fc.oneof(short, long), forms), { maxLength: 12 });

/** Flushes after every `every` parts. */
function encodeAll(encoder: BodyEncoder, parts: readonly BodyPart[], every: number): Buffer {
  const encoded = parts.flatMap((part, index) => [
    ...encoder.encode(part),
    ...((index + 1) % every === 0 ? encoder.flush() : []),
  ]);
  return Buffer.concat([...encoded, ...encoder.end()]);
}

test('property: the text of a gzip body, and of a plain one, is that of its parts', () => {
  assertProperty(
    fc.property(contents, fc.integer({ min: 1, max: 5 }), (list, every) => {
      const parts = list.map(([content, form]) => partOf(content, form));
      const whole = list.map(([content]) => content).join('');
      const gzip = encodeAll(new GzipEncoder(), parts, every);
      expect(gunzipSync(gzip).toString()).toBe(whole);
      expect(encodeAll(new PlainEncoder(), parts, every).toString()).toBe(whole);
      const lengths = parts.map(partLength);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(Buffer.byteLength(whole));
    }),
    100,
  );
});

test('the body is a single member: a reader that stops after the first one has all of it', () => {
  const encoder = new GzipEncoder();
  const parts = [partOf('['.repeat(500), 'text'), partOf('{}'.repeat(5_000), 'deflated')];
  const gzip = encodeAll(encoder, parts, 1);
  const withRest = Buffer.concat([gzip, Buffer.from([0])]);
  expect(gunzipSync(withRest).length).toBe(10_500);
  expect(gzip.indexOf(Buffer.from([0x1f, 0x8b, 8]), 1)).toBe(-1);
});

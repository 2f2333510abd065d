import { expect, test } from 'vitest';
import { u8 } from './layout.ts';
import { compileStructReader, compileViewClass } from './struct-compiler.ts';

const fields = [
  { name: 'first', at: 0, field: u8 },
  { name: 'with "quotes" and ; signs', at: 1, field: u8 },
];
const source = new DataView(Uint8Array.of(9, 7, 5).buffer);

test('the reader and the view work with any field name', () => {
  expect(compileStructReader(fields)(source, 1)).toEqual({
    first: 7,
    'with "quotes" and ; signs': 5,
  });
  const view: Record<string, unknown> = new (compileViewClass(fields))(source, 1) as never;
  expect([view['first'], view['with "quotes" and ; signs']]).toEqual([7, 5]);
});

import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { buildCallTree, type Call, descendantsOf } from './call-tree.ts';

const keys = [0, 1, 2, 3, 4, 5].map(numberedAddress);
const call = (programIndex: number) => ({
  programIndex,
  accountIndexes: [0],
  data: Uint8Array.of(programIndex),
});
const inner = (programIndex: number, stackHeight: number | undefined) => ({
  ...call(programIndex),
  stackHeight,
});

/** `program@path(children)`, with key indexes as programs. */
const shape = ({ program, path, children }: Call): string =>
  `${keys.indexOf(program)}@${path.join('.')}(${children.map(shape).join(' ')})`;

test('stack heights determine the tree', () => {
  const calls = [inner(2, 2), inner(3, 3), inner(4, 3), inner(5, 2), inner(2, 3)];
  const tree = buildCallTree(7, [call(1), ...calls], keys);
  expect(shape(tree)).toBe('1@7(2@7.0(3@7.0.0() 4@7.0.1()) 5@7.1(2@7.1.0()))');
  expect(descendantsOf(tree).map(({ path }) => path.slice(1).join('.'))).toEqual([
    '0',
    '0.0',
    '0.1',
    '1',
    '1.0',
  ]);
});

test('calls of unknown height are children of the instruction', () => {
  const tree = buildCallTree(0, [call(1), inner(2, undefined), inner(3, undefined)], keys);
  expect(shape(tree)).toBe('1@0(2@0.0() 3@0.1())');
});

test.each([
  ['a height without a caller', [inner(2, 2), inner(3, 4)]],
  ['a first call too deep', [inner(2, 3)]],
  ['an inner call at the height of instructions', [inner(2, 1)]],
  ['an unknown program index', [inner(6, 2)]],
])('%s throws', (_, calls) => {
  expect(catchError(() => buildCallTree(0, [call(1), ...calls], keys))?.code).toBe(
    'MALFORMED_DATA',
  );
});

import * as core from '@tidegate/core/base';
import * as localnet from '@tidegate/localnet/errors';
import { expect, test } from 'vitest';
import { CodedError, hasCode } from './errors.ts';

const errors = [
  new core.CodedError('INVALID_ADDRESS', { text: 'x' }),
  new localnet.CodedError('DATA_FOLDER_IN_USE', { folder: '/data', pid: 7 }),
  new CodedError('KEY_NOT_FOUND', { id: 'k1' }),
];

test.each([core.CodedError, localnet.CodedError, CodedError])(
  'the class of each package recognizes the errors of all',
  (Recognizing) => {
    expect(errors.map((error) => error instanceof Recognizing)).toEqual([true, true, true]);
  },
);

test.each([
  new Error('INVALID_ADDRESS'),
  Object.assign(new Error('x'), { name: 'CodedError', code: 'INVALID_ADDRESS', context: {} }),
  { name: 'CodedError', code: 'INVALID_ADDRESS', context: {} },
  'INVALID_ADDRESS',
  null,
  undefined,
])('anything else is no coded error: %s', (value) => {
  expect([core.CodedError, localnet.CodedError, CodedError].map((C) => value instanceof C)).toEqual(
    [false, false, false],
  );
});

test('a code is recognized by every package that knows it', () => {
  const [ofCore, ofLocalnet, ofServer] = errors;
  expect(hasCode(ofCore, 'INVALID_ADDRESS')).toBe(true);
  expect(hasCode(ofLocalnet, 'DATA_FOLDER_IN_USE')).toBe(true);
  expect(hasCode(ofServer, 'KEY_NOT_FOUND')).toBe(true);
  expect(hasCode(ofServer, 'INVALID_ADDRESS')).toBe(false);
  expect(localnet.hasCode(ofCore, 'INVALID_ADDRESS')).toBe(true);
});

test('the codes of a package are those of the packages below it and its own', () => {
  const coreCodes = Object.keys(core.errorMessages);
  const localnetCodes = Object.keys(localnet.errorMessages);
  expect(localnetCodes).toEqual(expect.arrayContaining(coreCodes));
  // the core names nothing of what stands above it
  const above = /KEY|HOOK|DATABASE|SETTING|FOLDER|CLUSTER|ENDPOINT|SOURCE|RPC|HISTORY|TOOL|USAGE/;
  expect(coreCodes.filter((code) => above.test(code))).toEqual([]);
});

test('an error carries the cause only if there is one', () => {
  const cause = new Error('socket closed');
  const context = { source: 'a', reason: 'b' };
  expect(new CodedError('SOURCE_UNAVAILABLE', context, cause).cause).toBe(cause);
  expect('cause' in new CodedError('SOURCE_UNAVAILABLE', context)).toBe(false);
});

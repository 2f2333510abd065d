import { expect, test } from 'vitest';
import { databaseProblemOf } from './database-problem.ts';

test('an error with which the server ends the session is an outage, without a code of its own too', () => {
  const error = Object.assign(new Error('could not write init file'), { code: 'XX000' });
  expect(databaseProblemOf(Object.assign(error, { severity: 'FATAL' }))).toBe('unreachable');
});

test('an internal error of a statement is no outage', () => {
  const error = Object.assign(new Error('unexpected plan'), { code: 'XX000', severity: 'ERROR' });
  expect(databaseProblemOf(error)).toBeUndefined();
});

test('a full disk is recognized also when it ends the session', () => {
  const error = Object.assign(new Error('no space'), { code: '53100', severity: 'FATAL' });
  expect(databaseProblemOf(error)).toBe('full');
});

import { CodedError } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { databaseProblemOf } from './database-problem.ts';

const errorWith = (code: string | undefined, message = 'x') =>
  Object.assign(new Error(message), { code });

/** With such an error the server ends the session. */
const FATAL = { severity: 'FATAL' };

test.each([
  [errorWith('53100', 'could not extend file'), 'full'],
  [errorWith('ENOSPC'), 'full'],
  [errorWith('XX001', 'could not read block 0'), 'damaged'],
  [errorWith('25006', 'cannot execute INSERT in a read-only transaction'), 'read-only'],
  [errorWith('57P01', 'terminating connection due to administrator command'), 'unreachable'],
  [errorWith('08006'), 'unreachable'],
  [errorWith('ECONNREFUSED'), 'unreachable'],
  [errorWith(undefined, 'Connection terminated unexpectedly'), 'unreachable'],
  [errorWith(undefined, 'Query read timeout'), 'unreachable'],
  [new CodedError('DATABASE_STOPPED', { reason: 'x' }), 'stopped'],
  [new CodedError('DATABASE_DAMAGED', { database: 'd', reason: 'x', repair: 'y' }), 'damaged'],
  [Object.assign(errorWith('XX000', 'could not write init file'), FATAL), 'unreachable'],
  [Object.assign(errorWith('53100', 'could not extend file'), FATAL), 'full'],
  [errorWith('XX000', 'unexpected plan'), undefined],
  [errorWith('23505', 'duplicate key'), undefined],
  [errorWith('42601', 'syntax error'), undefined],
  [new Error('x'), undefined],
  ['x', undefined],
])('the problem of %s is %s', (error, problem) => {
  expect(databaseProblemOf(error)).toBe(problem);
});

import { expect, test } from 'vitest';
import { CodedError } from '../../errors.ts';
import { databaseActionOf, databaseProblemOf, isServerAway } from './database-problem.ts';

const errorWith = (code: string | undefined, message = 'x') =>
  Object.assign(new Error(message), { code });

/** With such an error the server ends the session. */
const FATAL = { severity: 'FATAL' };

test.each([
  [errorWith('53100', 'could not extend file'), 'full'],
  [errorWith('ENOSPC'), 'full'],
  [errorWith('XX001', 'could not read block 0'), 'damaged'],
  [errorWith('25006', 'cannot execute INSERT in a read-only transaction'), 'read-only'],
  [errorWith('53300', 'sorry, too many clients already'), 'busy'],
  [errorWith('28P01', 'password authentication failed for user "x"'), 'refused'],
  [errorWith('28000', 'no pg_hba.conf entry'), 'refused'],
  [errorWith('3D000', 'database "x" does not exist'), 'missing'],
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

test.each([
  ['53300', 'max_connections', true],
  ['28P01', 'user and password in DATABASE_URL', false],
  ['3D000', 'name in DATABASE_URL', false],
  ['25006', 'primary server', false],
  ['ECONNREFUSED', 'Check the PostgreSQL server', true],
])('%s says what to do: %s', (code, action, canWait) => {
  expect(databaseActionOf(errorWith(code))).toContain(action);
  // an error of a start has the one of the server as its cause
  const context = { database: 'd', reason: 'x' };
  const start = new CodedError('DATABASE_UNUSABLE', context, errorWith(code));
  expect(databaseActionOf(start)).toContain(action);
  expect(isServerAway(errorWith(code))).toBe(canWait);
});

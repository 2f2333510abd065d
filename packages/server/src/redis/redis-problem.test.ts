import { expect, test } from 'vitest';
import { redisProblemOf } from './redis-problem.ts';

test.each([
  ['WRONGPASS invalid username-password pair or user is disabled.', 'refused'],
  ['NOAUTH Authentication required.', 'refused'],
  ['ERR AUTH <password> called without any password configured for the default user.', 'refused'],
  ["NOPERM this user has no permissions to run the 'set' command", 'not-permitted'],
  ["READONLY You can't write against a read only replica.", 'read-only'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'full'],
  ['MISCONF Redis is configured to save RDB snapshots', 'not-stored'],
  ['LOADING Redis is loading the dataset in memory', 'loading'],
  ['ERR max number of clients reached', 'busy'],
  ['Socket closed unexpectedly', 'unreachable'],
  ['connect ECONNREFUSED 127.0.0.1:6379', 'unreachable'],
])('%s: %s', (message, kind) => {
  expect(redisProblemOf(new Error(message)).kind).toBe(kind);
});

import { expect, test } from 'vitest';
import { CodedError } from '../../errors.ts';
import { publicReason } from './public-reason.ts';

const HIDDEN = 'the start failed, and the log has the reason';

test('the reason of an endpoint is public', () => {
  const error = new CodedError('SOURCE_UNAVAILABLE', { source: 'rpc.example', reason: 'timeout' });
  expect(publicReason(error)).toBe(
    'The endpoint rpc.example is unavailable: timeout. Retry later.',
  );
});

test('folders, hosts of databases and foreign errors are not public', () => {
  const database = { database: 'db.internal:5432/history', reason: 'no such role "tide"' };
  for (const error of [
    new CodedError('DATABASE_UNUSABLE', database),
    new CodedError('DATA_FOLDER_IN_USE', { folder: '/srv/data', pid: 1 }),
    new Error("ENOENT: no such file or directory, open '/srv/data/history'"),
    'password authentication failed',
  ]) {
    expect(publicReason(error)).toBe(HIDDEN);
  }
});

import { expect, test } from 'vitest';
import { createStoppableLog } from './stoppable-log.ts';

test('lines keep their level, and are dropped after the stop', () => {
  const lines: unknown[] = [];
  const record = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  let isStopped = false;
  const log = createStoppableLog(() => isStopped, {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  });
  const writeAll = () => {
    log.debug({ at: 1 }, 'a');
    log.info({ at: 2 }, 'b');
    log.warn({ at: 3 }, 'c');
    log.error({ at: 4 }, 'd');
  };
  writeAll();
  isStopped = true;
  writeAll();
  expect(lines).toEqual([
    ['debug', { at: 1 }, 'a'],
    ['info', { at: 2 }, 'b'],
    ['warn', { at: 3 }, 'c'],
    ['error', { at: 4 }, 'd'],
  ]);
});

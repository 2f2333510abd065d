import { expect, test } from 'vitest';
import { createStoppableLog } from './stoppable-log.ts';

test('each level is passed on as itself, and nothing once it is stopped', () => {
  const lines: unknown[] = [];
  const note = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message]);
  let isStopped = false;
  const log = createStoppableLog(() => isStopped, {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
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

import { expect, test } from 'vitest';
import { CallPriorities } from './call-priorities.ts';

test('work that is awaited or left running has the priority of its caller, other work is live', async () => {
  const priorities = new CallPriorities();
  const seen: string[] = [];
  const see = (label: string) => seen.push(`${label} ${priorities.current()}`);
  see('outside');
  let background: Promise<void> | undefined;
  await priorities.run('user', async () => {
    await Promise.resolve();
    see('awaited');
    background = new Promise((resolve) => {
      setTimeout(() => {
        see('timer');
        resolve();
      }, 0);
    });
    await priorities.run('backfill', async () => {
      await Promise.resolve();
      see('inner');
    });
    see('after inner');
  });
  see('outside');
  await background;
  expect(seen).toEqual([
    'outside live',
    'awaited user',
    'inner backfill',
    'after inner user',
    'outside live',
    'timer user',
  ]);
});

import { expect, test } from 'vitest';
import { waitForTurn } from './wide-read-turns.ts';

test('one turn in each iteration of the event loop, in order', async () => {
  const events: string[] = [];
  const turns = ['first', 'second', 'third'].map(async (name) => {
    await waitForTurn();
    events.push(name);
    // runs after all turns of this iteration
    setImmediate(() => events.push(`after ${name}`));
  });
  await Promise.all(turns);
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([
    'first',
    'after first',
    'second',
    'after second',
    'third',
    'after third',
  ]);
});

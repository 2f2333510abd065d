import { expect, test } from 'vitest';
import { HistoryQueue } from './history-queue.ts';

/** A job that ends when it is told to, and records its start. */
function controlled(started: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const job = async () => {
    started.push(name);
    await ended;
    return name;
  };
  return { job, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('clients take turns, each in its own order', async () => {
  const queue = new HistoryQueue({ running: 1, perClient: 10, total: 100 });
  const started: string[] = [];
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  const jobs = names.map((name) => ({ name, ...controlled(started, name) }));
  const results = jobs.map(({ name, job }) => queue.run(name.slice(0, 1), job));
  expect(queue.waiting).toBe(6);
  for (const { end } of jobs) end();
  expect(await Promise.all(results)).toEqual(names);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(queue.waiting).toBe(0);
});

test('the limit of jobs at the same time holds, also after failures', async () => {
  const queue = new HistoryQueue({ running: 2, perClient: 10, total: 100 });
  const started: string[] = [];
  const failed = queue.run('a', async () => Promise.reject(new Error('failed')));
  const [one, two, three] = ['1', '2', '3'].map((name) => controlled(started, name));
  const rest = [one, two, three].map((each) => queue.run('a', each?.job ?? (async () => '')));
  await expect(failed).rejects.toThrow('failed');
  await settle();
  expect(started).toEqual(['1', '2']);
  for (const each of [one, two, three]) each?.end();
  expect(await Promise.all(rest)).toEqual(['1', '2', '3']);
});

test('requests beyond the limit of a client or of all are rejected until others leave', () => {
  const queue = new HistoryQueue({ running: 1, perClient: 2, total: 3 });
  const overloaded = expect.objectContaining({ code: 'OVERLOADED' });
  const turn = queue.enter('a');
  queue.enter('a');
  expect(() => queue.enter('a')).toThrow(overloaded);
  queue.enter('b');
  expect(() => queue.enter('c')).toThrow(overloaded);
  turn.leave();
  turn.leave();
  queue.enter('c');
  expect(() => queue.enter('a')).toThrow(overloaded);
});

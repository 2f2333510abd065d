import { expect, test } from 'vitest';
import type { WorkerMessage } from './localnet-settings.ts';
import { WorkerRecorder } from './worker-recorder.ts';

function openRecorder() {
  const sent: WorkerMessage['kind'][] = [];
  const abort = new AbortController();
  const recorder = new WorkerRecorder(({ kind }) => sent.push(kind), abort.signal);
  return { sent, abort, recorder };
}

test('the end waits until everything is recorded', async () => {
  const { sent, recorder } = openRecorder();
  await recorder.write([]);
  let isEnded = false;
  const ended = recorder.end().then(() => {
    isEnded = true;
  });
  recorder.acknowledge();
  await new Promise(setImmediate);
  expect([sent, isEnded]).toEqual([['steps', 'ended'], false]);
  recorder.acknowledge();
  await ended;
});

test('an aborted recorder rejects calls that wait and later calls', async () => {
  const { abort, recorder } = openRecorder();
  const ended = recorder.end();
  await new Promise(setImmediate);
  abort.abort(new Error('stopped'));
  await expect(ended).rejects.toThrow('stopped');
  await expect(recorder.write([])).rejects.toThrow('stopped');
});

import { expect, test } from 'vitest';
import { CodedError } from '../errors.ts';
import { ProcessChannel, type ProcessPort } from './process-channel.ts';

type Requests = {
  readonly double: { readonly input: bigint; readonly output: bigint };
  readonly fail: { readonly input: unknown; readonly output: undefined };
};

/** Two ends; messages are copied as between processes. */
function connect(): [ProcessPort, ProcessPort] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const portOf = (own: 0 | 1): ProcessPort => ({
    send: (message) => {
      const copy = structuredClone(message);
      for (const listener of listeners[1 - own] ?? []) queueMicrotask(() => listener(copy));
    },
    onMessage: (listener) => void listeners[own]?.push(listener),
  });
  return [portOf(0), portOf(1)];
}

function createPair() {
  const [near, far] = connect();
  const serving = new ProcessChannel<Record<string, never>, Requests>(far, {
    double: async (input) => 2n * input,
    fail: (input) => {
      throw input === 'sql'
        ? Object.assign(new Error('duplicate key'), { code: '23505', detail: 'd' })
        : new CodedError('KEY_NOT_FOUND', { id: 'x' });
    },
  });
  return { serving, channel: new ProcessChannel<Requests, Record<string, never>>(near, {}) };
}

test('requests are answered, each by its own reply', async () => {
  const { channel } = createPair();
  const replies = [1n, 2n, 3n].map((value) => channel.request('double', value));
  expect(await Promise.all(replies)).toEqual([2n, 4n, 6n]);
});

test('a failure has its code, context and fields on the other side', async () => {
  const { channel } = createPair();
  await expect(channel.request('fail', 'coded')).rejects.toMatchObject({
    name: 'CodedError',
    code: 'KEY_NOT_FOUND',
    context: { id: 'x' },
  });
  await expect(channel.request('fail', 'sql')).rejects.toMatchObject({
    message: 'duplicate key',
    code: '23505',
    detail: 'd',
  });
});

test('the end of the other process rejects what is pending and what comes', async () => {
  const channel = new ProcessChannel<Requests, Record<string, never>>(connect()[0], {});
  const pending = channel.request('double', 1n);
  channel.close();
  await expect(pending).rejects.toThrow('has ended');
  await expect(channel.request('double', 1n)).rejects.toThrow('has ended');
});

import { expect } from 'vitest';
import type { RunningServer } from './run-tidegate.ts';

/** An answer of a server, with what its headers say about its state. */
type Answer = {
  readonly status: number;
  readonly slot: number;
  readonly ageMs: number;
  readonly body: unknown;
};

export async function readAnswer(url: string, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`);
  const header = (name: string) => Number(response.headers.get(name));
  const body: unknown = await response.json();
  return { status: response.status, slot: header('x-slot'), ageMs: header('x-data-age'), body };
}

export const isReady = async ({ url }: RunningServer): Promise<boolean> =>
  (await fetch(`${url}/ready`)).status === 200;

/** Compares answers for the same slot. */
export async function expectSameAnswers(
  servers: readonly RunningServer[],
  path: string,
): Promise<void> {
  const read = () => Promise.all(servers.map(({ url }) => readAnswer(url, path)));
  let answers = await read();
  await expect
    .poll(async () => {
      answers = await read();
      return new Set(answers.map(({ slot }) => slot)).size;
    })
    .toBe(1);
  const [first, ...others] = answers;
  expect(first?.status, path).toBe(200);
  expect(first?.body).not.toEqual([]);
  for (const { status, body } of others)
    expect({ status, body }, path).toEqual({ status: 200, body: first?.body });
}

import { afterAll, onTestFinished } from 'vitest';

/** Calls the given function when the scope of a test resource ends. */
export type OnEnd = (end: () => void) => void;

/** For resources of one test. */
export const onTestEnd: OnEnd = (end) => onTestFinished(end);

/** For resources that all tests of a file share. Call it at the top of the file. */
export function fileScope(): OnEnd {
  const ends: (() => void)[] = [];
  afterAll(() => {
    for (const end of ends.splice(0).reverse()) end();
  });
  return (end) => ends.push(end);
}

/** `@tidegate/localnet/vitest`: a test function of Vitest whose tests share one cluster and do not see each other. */
import { type TestAPI, test } from 'vitest';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxOptions } from '../sandbox/sandbox-options.ts';
import { startLocalnet } from '../start-localnet.ts';

type SharedFixture = {
  /** The cluster that the tests of a file share. Use `net`. */
  readonly sharedNet: Sandbox;
};

type LocalnetFixture = {
  /** The cluster. What a test changes is undone after it. */
  readonly net: Sandbox;
};

/**
 * A `test` with the fixture `net`. The cluster starts with the first test of a file that uses it, and stops after the
 * file. Slots close on demand, unless the options say otherwise. Tests of a file must not run concurrently.
 *
 *     const test = localnetTest({ seed: 'my-program' });
 *     test('deposits', async ({ net }) => { … });
 */
export function localnetTest(
  options: SandboxOptions = {},
): TestAPI<SharedFixture & LocalnetFixture> {
  return test
    .extend<SharedFixture>({
      sharedNet: [
        // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of used fixtures from the pattern
        async ({}, use) => {
          const net = await startLocalnet({ clock: 'on-demand', ...options });
          try {
            await use(net);
          } finally {
            await net.stop();
          }
        },
        { scope: 'file' },
      ],
    })
    .extend<LocalnetFixture>({
      net: ({ sharedNet }, use) => sharedNet.isolate(() => use(sharedNet)),
    });
}

/** `@tidegate/localnet/node-test`: tests of `node:test` that share one cluster and do not see each other. */
import { after, type TestContext, test } from 'node:test';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxOptions } from '../sandbox/sandbox-options.ts';
import { startLocalnet } from '../start-localnet.ts';

type LocalnetContext = {
  /** The cluster. What a test changes is undone after it. */
  readonly net: Sandbox;
  /** The context of `node:test`. */
  readonly t: TestContext;
};

type LocalnetTestBody = (context: LocalnetContext) => void | Promise<void>;

/**
 * A function that declares tests with a cluster. It starts with the first test, and stops after the last one of the file.
 * Slots close on demand, unless the options say otherwise. Tests of a file must not run concurrently.
 *
 *     const test = localnetTest({ seed: 'my-program' });
 *     test('deposits', async ({ net }) => { … });
 */
function declareLocalnetTest(
  options: SandboxOptions = {},
): (name: string, body: LocalnetTestBody) => void {
  let started: Promise<Sandbox> | undefined;
  after(async () => {
    await (await started)?.stop();
  });
  return (name, body) => {
    void test(name, async (t) => {
      started ??= startLocalnet({ clock: 'on-demand', ...options });
      const net = await started;
      await net.isolate(async () => body({ net, t }));
    });
  };
}

/** The name that the fixture of Vitest has: tests move between the two by changing the import. */
export { declareLocalnetTest as localnetTest };

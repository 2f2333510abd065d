import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What a bundler makes of a program for browsers. Fails if a module needs Node.js. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

test('a bundle has only what a program uses', async () => {
  const decimals = await bundle(
    "import { toBaseUnits } from '@tidegate/client'; console.log(toBaseUnits('1', 9));",
  );
  expect(decimals.length).toBeLessThan(1_500);
  const calls = await bundle(
    "import { createClient } from '@tidegate/client'; createClient({ baseUrl: 'https://x' });",
  );
  expect(calls).toContain('minContextSlot');
  expect(calls).not.toContain('text/event-stream');
  expect(calls.length).toBeLessThan(8_500);
  const all = await bundle("export * from '@tidegate/client';");
  expect(all).toContain('text/event-stream');
  expect(all.length).toBeLessThan(16_000);
});

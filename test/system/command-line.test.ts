import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTidegate, startServer, temporaryFolder } from '../support/processes/run-tidegate.ts';

test('help and version are printed to standard output', async () => {
  const overview = await runTidegate(['--help']);
  expect(overview).toEqual({
    code: 0,
    out: expect.stringMatching(/^Usage: tidegate COMMAND \[flags\]\n/),
    err: '',
  });
  expect((await runTidegate([])).out).toBe(overview.out);
  expect((await runTidegate(['help'])).out).toBe(overview.out);
  const serve = await runTidegate(['serve', '--help']);
  expect([serve.code, serve.out]).toEqual([0, expect.stringContaining('--trusted-proxies')]);
  expect((await runTidegate(['help', 'serve'])).out).toBe(serve.out);
  expect((await runTidegate(['keys', 'create', '--help'])).out).toContain('--limit N/T');
  expect((await runTidegate(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('DATA_DIR that is a file is one line for every kind of command', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const args of [['serve'], ['localnet'], ['keys', 'create'], ['rewards', 'list']]) {
    const { code, out, err } = await runTidegate(args, { DATA_DIR: file });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^(?:Tidegate is starting at .*\n)?tidegate: DATA_DIR is ".*"\. It accepts a folder that this process can create, read and write \(E[A-Z]+: .*\)\.\n$/,
    );
  }
});

test.each(['localnet', 'history'])(
  'an unusable %s folder in DATA_DIR is one line',
  async (name) => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), '');
    const { code, err } = await runTidegate(['serve', '--port', '0'], { DATA_DIR: folder });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^(?:Tidegate is starting at .*\n)?tidegate: DATA_DIR is ".*"\. It accepts .* \(E[A-Z]+: .*\)\.\n$/,
    );
  },
);

test('LOG_FORMAT=pretty writes text, also without a terminal', async () => {
  const { url, out } = await startServer({ LOG_FORMAT: 'pretty' });
  await expect
    .poll(out)
    .toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO {2}listening url=${url}$`, 'm'));
});

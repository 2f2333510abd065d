import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** In the order of their dependencies: `npm pack` type-checks and builds each one. */
const PACKAGES = ['core', 'localnet', 'server'];
const TIMEOUT_MS = 240_000;
const NO_NETWORK = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT/;

const folder = mkdtempSync(join(tmpdir(), 'tidegate-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Manifest = { readonly name: string; readonly exports: Readonly<Record<string, unknown>> };

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

/** `prepack` of each package builds it and runs publint. */
async function packAll(): Promise<string[]> {
  for (const name of PACKAGES) {
    const args = ['pack', '--pack-destination', folder, '--workspace', `packages/${name}`];
    await run('npm', args, { cwd: root });
  }
  return readdirSync(folder).filter((file) => file.endsWith('.tgz'));
}

async function runModule(script: string): Promise<string> {
  writeFileSync(join(folder, 'script.mjs'), script);
  const { stdout } = await run(process.execPath, ['script.mjs'], { cwd: folder });
  return stdout;
}

test('the packed packages install into an empty folder and every entry works', {
  timeout: TIMEOUT_MS,
}, async (context) => {
  const tarballs = await packAll();
  expect(tarballs).toHaveLength(PACKAGES.length);

  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', ['install', ...flags, ...tarballs.map((file) => `./${file}`)], {
      cwd: folder,
    });
  } catch (error) {
    if (NO_NETWORK.test(String(error))) context.skip('the package registry is not reachable');
    throw error;
  }

  const entries = ['core', 'localnet'].flatMap((name) => {
    const { name: packageName, exports } = manifestOf(name);
    const keys = Object.keys(exports).filter((key) => !key.endsWith('.json'));
    return keys.map((key) => `${packageName}${key.slice(1)}`);
  });
  const sizes = await runModule(`
    for (const entry of ${JSON.stringify(entries)}) {
      console.log(entry, Object.keys(await import(entry)).length);
    }
  `);
  const empty = sizes.split('\n').filter((line) => line.endsWith(' 0'));
  expect(empty).toEqual([]);
  expect(sizes.trim().split('\n')).toHaveLength(entries.length);

  const slot = await runModule(`
    import { startLocalnet } from '@tidegate/localnet';
    const cluster = await startLocalnet({ dataFolder: 'cluster', seed: 'packed', days: 1 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(cluster.rpcUrl, { method: 'POST', headers, body });
    console.log((await response.json()).result > 0);
    await cluster.stop();
  `);
  expect(slot.trim()).toBe('true');

  const apy = await runModule(`
    import { decodeBase64, formatRatio, klend } from '@tidegate/core/protocol';
    import { readFileSync } from 'node:fs';
    const file = ${JSON.stringify(join(root, 'docs/examples/reserve.base64'))};
    const data = decodeBase64(readFileSync(file, 'utf8').trim());
    const reserve = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });
    const rates = klend.math.reserveRates(reserve, { numerator: 400n, denominator: 1n });
    console.log(formatRatio(rates.borrowApy, 6));
  `);
  expect(Number(apy)).toBeGreaterThan(0);

  const command = join(folder, 'node_modules', '.bin', 'tidegate');
  const { stdout } = await run(command, ['--version'], { cwd: folder });
  expect(stdout.trim()).toBe('0.1.0');
});

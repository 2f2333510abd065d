import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { checkPublish } from '../../scripts/release/publish-package.ts';
import { temporaryFolderPath } from '../support/processes/run-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** In the order of their dependencies: npm builds one after another. */
const PACKAGES = ['core', 'localnet', 'client', 'server'];
const LIBRARIES = ['core', 'localnet', 'client'];
const NO_NETWORK = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT/;

const folder = temporaryFolderPath('packages-');

type Manifest = {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
};

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

/** A copy of the workspace, because other tests run `dist` of this one meanwhile. */
function copyWorkspace(): string {
  const copy = join(folder, 'workspace');
  mkdirSync(join(copy, 'node_modules', '@tidegate'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', 'scripts', 'docs']) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  const filter = (path: string) => !/[/\\](dist|node_modules)$/.test(path);
  cpSync(join(root, 'packages'), join(copy, 'packages'), { recursive: true, filter });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (['@tidegate', 'tidegate'].includes(name)) continue;
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of LIBRARIES) {
    const target = join(copy, 'packages', name);
    symlinkSync(target, join(copy, 'node_modules', '@tidegate', name));
  }
  return copy;
}

/** What `prepack` does, without the second packing of each package by publint. */
async function packAll(cwd: string): Promise<string[]> {
  const workspaces = PACKAGES.flatMap((name) => ['--workspace', `packages/${name}`]);
  await run('npm', ['run', 'build', ...workspaces], { cwd });
  const flags = ['--ignore-scripts', '--pack-destination', folder];
  await run('npm', ['pack', ...flags, ...workspaces], { cwd });
  return readdirSync(folder).filter((file) => file.endsWith('.tgz'));
}

/** The errors that publint finds in a tarball. */
async function errorsIn(file: string): Promise<readonly unknown[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, file));
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  return (await publint({ pack: { tarball }, level: 'error' })).messages;
}

async function runModule(script: string): Promise<string> {
  writeFileSync(join(folder, 'script.mjs'), script);
  const { stdout } = await run(process.execPath, ['script.mjs'], { cwd: folder });
  return stdout;
}

let workspace: string;
let tarballs: readonly string[];
let installation: Promise<boolean> | undefined;

beforeAll(async () => {
  workspace = copyWorkspace();
  tarballs = await packAll(workspace);
});

test('publint and npm find nothing wrong in the packed packages', async () => {
  expect(tarballs).toHaveLength(PACKAGES.length);
  for (const file of tarballs) expect(await errorsIn(file), file).toEqual([]);
  for (const name of PACKAGES) {
    expect(manifestOf(name).scripts['prepack'], name).toBe('npm run build && publint');
    expect(await checkPublish(workspace, `packages/${name}`)).toEqual([]);
  }
});

/** Installs the packages into an empty folder, once for all tests. False if the registry is not reachable. */
async function install(): Promise<boolean> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', ['install', ...flags, ...tarballs.map((file) => `./${file}`)], {
      cwd: folder,
    });
    return true;
  } catch (error) {
    if (NO_NETWORK.test(String(error))) return false;
    throw error;
  }
}

async function skipUnlessInstalled(context: TestContext): Promise<void> {
  installation ??= install();
  if (!(await installation)) context.skip('the package registry is not reachable');
}

test('the packed packages install into an empty folder, and every entry can be imported', async (context) => {
  await skipUnlessInstalled(context);
  const entries = LIBRARIES.flatMap((name) => {
    const { name: packageName, exports } = manifestOf(name);
    const keys = Object.keys(exports).filter((key) => !key.endsWith('.json'));
    return keys.map((key) => `${packageName}${key.slice(1)}`);
  });
  // needs a peer that is not installed here, and a run of its tests
  const fixture = entries.splice(entries.indexOf('@tidegate/localnet/vitest'), 1);
  expect(fixture).toEqual(['@tidegate/localnet/vitest']);
  const sizes = await runModule(`
    for (const entry of ${JSON.stringify(entries)}) {
      console.log(entry, Object.keys(await import(entry)).length);
    }
  `);
  const empty = sizes.split('\n').filter((line) => line.endsWith(' 0'));
  expect(empty).toEqual([]);
  expect(sizes.trim().split('\n')).toHaveLength(entries.length);
});

test('the installed packages work', async (context) => {
  await skipUnlessInstalled(context);
  // the declarations need the types of a browser, and none of Node.js
  writeFileSync(
    join(folder, 'client.mts'),
    `import { createClient, type LoanReport, type Result } from '@tidegate/client';
     const client = createClient({ baseUrl: location.href });
     const loan: Result<LoanReport> = await client.get('/klend/loans/{pubkey}', { path: { pubkey: '' } });
     console.log(loan.ok && loan.data.loanInfo.currentLtv);`,
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
  const files = ['--lib', 'es2022,dom', 'client.mts'];
  const args = [compiler, ...strict, ...files];
  // the compiler prints errors to its standard output
  const compiled = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
  expect(compiled.stdout).toBe('');

  const slot = await runModule(`
    import { startLocalnet } from '@tidegate/localnet';
    const cluster = await startLocalnet({ seed: 'packed', days: 0 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(cluster.rpcUrl, { method: 'POST', headers, body });
    console.log((await response.json()).result > 0);
    await cluster.stop();
  `);
  expect(slot.trim()).toBe('true');

  writeFileSync(
    join(folder, 'fixture.mjs'),
    `import assert from 'node:assert/strict';
    import { localnetTest } from '@tidegate/localnet/node-test';
    const test = localnetTest({ seed: 'packed' });
    for (const name of ['one', 'two']) test(name, async ({ net }) => {
      const wallet = '11111111111111111111111111111112';
      assert.equal(await net.account(wallet), undefined);
      await net.airdrop(wallet, 1_000_000_000n);
      assert.equal((await net.account(wallet)).lamports, 1_000_000_000n);
    });`,
  );
  const nodeTest = ['--test', '--test-reporter=tap', 'fixture.mjs'];
  expect((await run(process.execPath, nodeTest, { cwd: folder })).stdout).toMatch(/^# pass 2$/m);

  const apy = await runModule(`
    import { decodeBase64, formatRatio, klend } from '@tidegate/core/protocol';
    import { readFileSync } from 'node:fs';
    const file = ${JSON.stringify(join(root, 'docs/examples/reserve.base64'))};
    const data = decodeBase64(readFileSync(file, 'utf8').trim());
    const reserve = klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });
    const basis = klend.math.interestRateBasis(reserve.config, klend.NEWEST_LENDING_RULES);
    const slotMs = { numerator: 400n, denominator: 1n };
    const rates = klend.math.reserveRates({ ...reserve, basis }, slotMs);
    console.log(formatRatio(rates.borrowApy, 6));
  `);
  expect(Number(apy)).toBeGreaterThan(0);

  const command = join(folder, 'node_modules', '.bin', 'tidegate');
  const { stdout } = await run(command, ['--version'], { cwd: folder });
  expect(stdout.trim()).toBe('0.1.0');

  // the pages of explorer and documentation, and every file that they name
  const explorer = join(folder, 'node_modules', 'tidegate', 'dist', 'explorer');
  const pages = ['index.html', 'docs.html'].map((name) =>
    readFileSync(join(explorer, name), 'utf8'),
  );
  const names = pages.flatMap((html) =>
    [...html.matchAll(/"\.\/(explorer\/[\w.-]+)"/g)].map(([, name = '']) => name),
  );
  expect(new Set(names).size).toBeGreaterThan(5);
  for (const name of names)
    expect(readFileSync(join(explorer, name)).length, name).toBeGreaterThan(0);
});

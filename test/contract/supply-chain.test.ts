import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readAudit } from '../../scripts/supply-chain/audit-outcome.ts';
import type { LockedPackage, Lockfile } from '../../scripts/supply-chain/lockfile.ts';
import { shippedFolders } from '../../scripts/supply-chain/lockfile.ts';
import type { Sbom } from '../../scripts/supply-chain/sbom.ts';
import {
  checkSupplyChain,
  type SupplyChain,
} from '../../scripts/supply-chain/supply-chain-rules.ts';

const root = new URL('../../', import.meta.url);
const integrity = 'sha512-x';
const locked = (fields: Partial<LockedPackage> = {}): LockedPackage => ({
  version: '1.0.0',
  integrity,
  license: 'MIT',
  ...fields,
});

/** A workspace with one package that users get and one tool. */
function chainOf(changes: {
  readonly packages?: Lockfile['packages'];
  readonly chain?: Partial<SupplyChain>;
}): SupplyChain {
  const packages = {
    '': {},
    'packages/server': { dependencies: { ws: '1.0.0', '@tidegate/core': '0.1.0' } },
    'node_modules/@tidegate/core': { link: true, resolved: 'packages/core' },
    'node_modules/ws': locked(),
    'node_modules/tool': locked({ dev: true, license: 'MPL-2.0' }),
    ...changes.packages,
  };
  return {
    lock: { lockfileVersion: 3, packages },
    manifests: { 'package.json': { devDependencies: { tool: '1.0.0' } } },
    readInstalled: () => undefined,
    installers: { '.ci/run': 'npm ci' },
    ...changes.chain,
  };
}

test('a workspace whose packages come from the lockfile has no problems', () => {
  expect(checkSupplyChain(chainOf({}))).toEqual([]);
});

const fromUrl = (resolved: string) => ({ packages: { 'node_modules/ws': locked({ resolved }) } });

test.each([
  'git+ssh://git@host.example/ws.git#0123',
  'https://host.example/owner/ws/tar.gz/0123',
  'http://registry.example/ws/-/ws-1.0.0.tgz',
  'https://registry.example/ws/-/ws-1.0.1.tgz',
  'https://registry.example/other/-/other-1.0.0.tgz',
  'file:../ws',
])('a package from %s is reported', (resolved) => {
  expect(checkSupplyChain(chainOf(fromUrl(resolved)))).toEqual([
    'node_modules/ws: comes from a URL that is not of the registry',
  ]);
});

test('a package from any registry is accepted, with and without a scope', () => {
  const chain = chainOf({
    packages: {
      'node_modules/ws': locked({ resolved: 'https://registry.example/ws/-/ws-1.0.0.tgz' }),
      'node_modules/@a/b': locked({ resolved: 'https://registry.example/@a/b/-/b-1.0.0.tgz' }),
    },
  });
  expect(checkSupplyChain(chain)).toEqual([]);
});

test.each<[string, Parameters<typeof chainOf>[0], string]>([
  [
    'no integrity',
    { packages: { 'node_modules/ws': { version: '1.0.0', license: 'MIT' } } },
    'node_modules/ws: has no sha512 integrity',
  ],
  [
    'a weak integrity',
    { packages: { 'node_modules/ws': locked({ integrity: 'sha1-x' }) } },
    'node_modules/ws: has no sha512 integrity',
  ],
  [
    'a link to another folder',
    { packages: { 'node_modules/ws': { link: true, resolved: '../ws' } } },
    'node_modules/ws: links outside the workspace',
  ],
  [
    'an install script that users run',
    { packages: { 'node_modules/ws': locked({ hasInstallScript: true }) } },
    'node_modules/ws: runs a script when users install it',
  ],
  [
    'an install script of a tool',
    { packages: { 'node_modules/tool': locked({ dev: true, hasInstallScript: true }) } },
    'node_modules/tool: has an install script; refuse it in allowScripts',
  ],
  [
    'a license for tools only',
    { packages: { 'node_modules/ws': locked({ license: 'MPL-2.0' }) } },
    'node_modules/ws: the license "MPL-2.0" is not in the list',
  ],
  [
    'no license',
    { chain: { readInstalled: () => ({ version: '1.0.0' }) } },
    'node_modules/ws: the license undefined is not in the list',
  ],
  [
    'another license than the lockfile has',
    {
      chain: {
        readInstalled: (path) =>
          path === 'node_modules/ws' ? { version: '1.0.0', license: 'GPL-3.0' } : undefined,
      },
    },
    'node_modules/ws: the license "GPL-3.0" is not in the list',
  ],
  [
    'another version than the lockfile has',
    {
      chain: {
        readInstalled: (path) =>
          path === 'node_modules/ws' ? { version: '1.0.1', license: 'MIT' } : undefined,
      },
    },
    'node_modules/ws: version 1.0.1 is installed instead of 1.0.0',
  ],
  [
    'a range',
    { chain: { manifests: { 'package.json': { dependencies: { ws: '^1.0.0' } } } } },
    'package.json: ws is ^1.0.0, not one version',
  ],
  [
    'a range under another name',
    { chain: { manifests: { 'package.json': { devDependencies: { ws: 'npm:sockets@1' } } } } },
    'package.json: ws is npm:sockets@1, not one version',
  ],
  [
    'an install script of its own',
    { chain: { manifests: { 'package.json': { scripts: { postinstall: 'x' } } } } },
    'package.json: the script postinstall runs on the machines of users',
  ],
  [
    'an installation without the lockfile',
    { chain: { installers: { Dockerfile: 'RUN npm install' } } },
    'Dockerfile: "npm install" installs what no lockfile names',
  ],
])('%s is reported', (_, changes, problem) => {
  expect(checkSupplyChain(chainOf(changes))).toContain(problem);
});

test('an install script of a tool may be refused', () => {
  const chain = chainOf({
    packages: { 'node_modules/tool': locked({ dev: true, hasInstallScript: true }) },
    chain: { manifests: { 'package.json': { allowScripts: { tool: false } } } },
  });
  expect(checkSupplyChain(chain)).toEqual([]);
});

test('users get dependencies of dependencies, the nearest version of each, and those of the bundles', () => {
  const packages = {
    'packages/server': { dependencies: { a: '1.0.0' }, devDependencies: { bundled: '1.0.0' } },
    'packages/explorer': { devDependencies: { shown: '1.0.0', '@types/shown': '1.0.0' } },
    'node_modules/a': locked({ dependencies: { b: '^2.0.0', c: '1' } }),
    'node_modules/a/node_modules/b': locked({ version: '2.0.0' }),
    'node_modules/b': locked({ dev: true }),
    'node_modules/bundled': locked({ dev: true }),
    'node_modules/c': locked({ dependencies: { a: '1' }, optionalDependencies: { d: '1' } }),
    'node_modules/d': locked(),
    'node_modules/shown': locked({ dev: true }),
    'node_modules/@types/shown': locked({ dev: true }),
  };
  expect([...shippedFolders({ lockfileVersion: 3, packages })].toSorted()).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/bundled',
    'node_modules/c',
    'node_modules/d',
    'node_modules/shown',
  ]);
});

test('the list of materials has what users get: server, explorer, and nothing of the tools', () => {
  const script = ['--import', 'tsx', 'scripts/write-sbom.ts'];
  const text = execFileSync(process.execPath, script, {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  type Component = Sbom['components'][number] & {
    readonly name: string;
    readonly purl: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly unknown[];
  };
  type Listed = Omit<Sbom, 'components'> & { readonly components: readonly Component[] };
  const sbom = JSON.parse(text) as Listed;
  expect([sbom.bomFormat, sbom.specVersion]).toEqual(['CycloneDX', '1.5']);
  const { version } = JSON.parse(
    readFileSync(new URL('packages/server/package.json', root), 'utf8'),
  ) as { readonly version: string };
  expect(sbom.metadata.component).toMatchObject({ name: 'tidegate', version });
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'pg', 'ws', 'fzstd', 'kysely', 'typebox', 'preact']),
  );
  expect(names.filter((name) => /vitest|biome|esbuild|typescript|playwright/.test(name))).toEqual(
    [],
  );
  for (const { name, purl, hashes, licenses } of sbom.components) {
    expect(purl, name).toMatch(/^pkg:npm\/.+@\d/);
    expect(hashes, name).toEqual([
      { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) },
    ]);
    expect(licenses, name).toHaveLength(1);
  }
  const refs = new Set(sbom.components.map((each) => each['bom-ref']));
  const used = sbom.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(used.filter((ref) => !refs.has(ref))).toEqual([]);
});

const advisory = {
  severity: 'high',
  range: '<1.0.1',
  via: [{ title: 'A flaw', url: 'https://advisories.example/1' }, 'other'],
};

test('a vulnerability fails the audit, and a registry that does not answer does not', () => {
  const audit = (value: unknown) => readAudit(JSON.stringify(value));
  expect(audit({ auditReportVersion: 2, vulnerabilities: {} })).toEqual({ kind: 'clean' });
  expect(audit({ vulnerabilities: { ws: advisory } })).toEqual({
    kind: 'vulnerable',
    lines: ['high: ws <1.0.1: A flaw https://advisories.example/1; through other'],
  });
  const refused = {
    message: '405 Method Not Allowed - POST https://registry.example/x',
    error: {},
  };
  expect(audit(refused)).toEqual({ kind: 'unanswered', reason: '405' });
  const unreached = { message: 'request to https://registry.example/ failed, ECONNREFUSED' };
  expect(audit(unreached)).toEqual({ kind: 'unanswered', reason: 'ECONNREFUSED' });
  expect(audit({ error: { summary: '' } })).toEqual({ kind: 'unanswered', reason: 'no report' });
  for (const text of ['', 'not JSON', 'null']) expect(readAudit(text).kind).toBe('unanswered');
});

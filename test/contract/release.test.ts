import { expect, test } from 'vitest';
import { readChangedFigures } from '../../scripts/release/changed-figures.ts';
import { changelogSections } from '../../scripts/release/changelog.ts';
import { contentProblems, warningsIn } from '../../scripts/release/publish-package.ts';
import {
  publishedPackages,
  type WorkspacePackage,
} from '../../scripts/release/published-packages.ts';
import { checkRelease, type ReleaseInput } from '../../scripts/release/release-rules.ts';

const CHANGELOG = `# Changelog

## Unreleased

## 1.2.0 - 2026-11-17

### Added

- Something.

## 1.1.0 - 2026-10-01

- The first one.
`;

const manifest = {
  name: '@tidegate/core',
  version: '1.2.0',
  description: 'What the package is for, in a sentence.',
  license: 'Apache-2.0',
  keywords: ['a', 'b', 'c'],
  engines: { node: '>=20.19' },
  publishConfig: { access: 'public' },
};
const core: WorkspacePackage = { folder: 'packages/core', manifest };
const server: WorkspacePackage = {
  folder: 'packages/server',
  manifest: { ...manifest, name: 'tidegate', dependencies: { '@tidegate/core': '1.2.0' } },
};
const explorer: WorkspacePackage = {
  folder: 'packages/explorer',
  manifest: { name: '@tidegate/explorer', version: '1.2.0', private: true },
};

const good: ReleaseInput = {
  root: { version: '1.2.0', license: 'Apache-2.0', engines: { node: '>=20.19' } },
  packages: [core, explorer, server],
  lockedVersions: {
    'packages/core': '1.2.0',
    'packages/explorer': '1.2.0',
    'packages/server': '1.2.0',
  },
  changelog: CHANGELOG,
  hasLicense: () => true,
  hasReadme: () => true,
  tag: 'v1.2.0',
};

test('a release whose versions, tag, changelog and metadata agree has no problems', () => {
  expect(checkRelease(good)).toEqual([]);
  expect(checkRelease({ ...good, tag: undefined })).toEqual([]);
});

const withCore = (changes: Partial<WorkspacePackage['manifest']>): ReleaseInput => ({
  ...good,
  packages: [{ ...core, manifest: { ...manifest, ...changes } }, explorer, server],
});

test.each<[string, ReleaseInput]>([
  [
    'package.json: 1.2 is not a semantic version',
    { ...good, root: { ...good.root, version: '1.2' } },
  ],
  ['packages/core: version 1.1.0 instead of 1.2.0', withCore({ version: '1.1.0' })],
  [
    'package-lock.json: packages/core has version 1.1.0 instead of 1.2.0',
    { ...good, lockedVersions: { ...good.lockedVersions, 'packages/core': '1.1.0' } },
  ],
  [
    'packages/core: needs tidegate ^1.0.0 instead of 1.2.0',
    withCore({ dependencies: { tidegate: '^1.0.0', ws: '8.0.0' } }),
  ],
  ['packages/core: has no description', withCore({ description: 'short' })],
  ['packages/core: has fewer than three keywords', withCore({ keywords: ['a'] })],
  ['packages/core: has the license MIT instead of Apache-2.0', withCore({ license: 'MIT' })],
  ['packages/core: supports other versions of Node.js', withCore({ engines: { node: '>=18' } })],
  ['packages/core: is not public (publishConfig.access)', withCore({ publishConfig: {} })],
  [
    'packages/core: has no LICENSE, or another one than the repository',
    { ...good, hasLicense: (folder) => folder !== 'packages/core' },
  ],
  [
    'packages/core: has no README.md',
    { ...good, hasReadme: (folder) => folder !== 'packages/core' },
  ],
  ['the tag v1.3.0 is not v1.2.0', { ...good, tag: 'v1.3.0' }],
  [
    'CHANGELOG.md: has no entry for 1.2.0',
    { ...good, changelog: CHANGELOG.replace('1.2.0', '1.2.1') },
  ],
  [
    'CHANGELOG.md: the entry for 1.2.0 has no date',
    { ...good, changelog: CHANGELOG.replace('1.2.0 - 2026-11-17', '1.2.0') },
  ],
  [
    'CHANGELOG.md: the entry for 1.2.0 is empty',
    { ...good, changelog: CHANGELOG.replace('- Something.', '') },
  ],
  [
    'CHANGELOG.md: Unreleased has entries that belong to this release',
    { ...good, changelog: CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n- Later.\n') },
  ],
  [
    'CHANGELOG.md: 1.1.0 occurs twice',
    { ...good, changelog: `${CHANGELOG}\n## 1.1.0 - 2026-10-01\n` },
  ],
  [
    'CHANGELOG.md: does not begin with Unreleased',
    { ...good, changelog: CHANGELOG.replace('## Unreleased\n', '') },
  ],
])('%s', (problem, input) => {
  expect(checkRelease(input)).toContain(problem);
});

test('a private package needs no metadata', () => {
  expect(checkRelease({ ...good, hasLicense: (folder) => folder !== 'packages/explorer' })).toEqual(
    [],
  );
});

const NOTICES = `${CHANGELOG}
### Changed figures of the past

| Operation | Fields | Recorded before | At most | Why |
| --- | --- | --- | --- | --- |
| \`getReserveHistory\` | \`history[].depositTvl\`, \`x.*\` | 2026-11-17 | 0.5 % | A reason. |
| \`getVault\` | \`name\` | 2026-11-18 | any | Another one. |

### Fixed
`;

test('changed figures of the past are read from the changelog', () => {
  expect(readChangedFigures(NOTICES)).toEqual({
    figures: [
      {
        operationId: 'getReserveHistory',
        fields: ['history[].depositTvl', 'x.*'],
        recordedBefore: '2026-11-17',
        atMost: 0.005,
        why: 'A reason.',
      },
      {
        operationId: 'getVault',
        fields: ['name'],
        recordedBefore: '2026-11-18',
        atMost: Number.POSITIVE_INFINITY,
        why: 'Another one.',
      },
    ],
    problems: [],
  });
});

test.each([
  ['no field', '`name`', 'name'],
  ['no day', '2026-11-18', 'soon'],
  ['no limit', '| any |', '| much |'],
  ['no reason', 'Another one.', ''],
  ['other columns', '| Recorded before |', '| Since |'],
])('a notice with %s is a problem of the release', (_, from, to) => {
  const changelog = NOTICES.replace(from, to);
  expect(readChangedFigures(changelog).problems).toHaveLength(1);
  expect(checkRelease({ ...good, changelog })).toHaveLength(1);
});

test('the notes of a release are its section of the changelog', () => {
  const sections = changelogSections(CHANGELOG);
  expect(sections.map(({ version, date }) => [version, date])).toEqual([
    ['Unreleased', ''],
    ['1.2.0', '2026-11-17'],
    ['1.1.0', '2026-10-01'],
  ]);
  expect(sections[1]?.text).toBe('\n### Added\n\n- Something.\n');
});

test('a package is published after those that it depends on, and private ones never', () => {
  const names = publishedPackages([server, explorer, core]).map((each) => each.manifest.name);
  expect(names).toEqual(['@tidegate/core', 'tidegate']);
});

test('a warning of npm and an unneeded or missing file are problems', () => {
  const output = [
    'npm warn This command requires you to be logged in to the registry (dry-run)',
    'npm notice 📦 tidegate@1.2.0',
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
  ].join('\n');
  expect(warningsIn(output)).toEqual([
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
  ]);
  const fileAt = (path: string) => ({ path, size: 1 });
  const files = ['package.json', 'README.md', 'dist/index.js', 'dist/a.test.js', '.env'].map(
    fileAt,
  );
  const packed = { name: 'tidegate', version: '1.2.0', files, unpackedSize: 5 };
  expect(contentProblems(packed)).toEqual([
    'LICENSE is not in the package',
    'dist/a.test.js is in the package, but users do not need it',
    '.env is in the package, but users do not need it',
  ]);
});

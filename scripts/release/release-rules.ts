import { readChangedFigures } from './changed-figures.ts';
import { changelogSections } from './changelog.ts';
import type { PackageManifest, WorkspacePackage } from './published-packages.ts';

export type ReleaseInput = {
  readonly root: Pick<PackageManifest, 'version' | 'engines' | 'license'>;
  readonly packages: readonly WorkspacePackage[];
  /** Versions in package-lock.json, by folder; the root is the empty name. */
  readonly lockedVersions: Readonly<Record<string, string | undefined>>;
  readonly changelog: string;
  /** By folder: whether the package has this file with the contents of the root's. */
  readonly hasLicense: (folder: string) => boolean;
  readonly hasReadme: (folder: string) => boolean;
  /** The tag that is released; undefined between releases. */
  readonly tag: string | undefined;
};

/** https://semver.org, without build metadata. */
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(?:[0-9A-Za-z-]+)(?:\.[0-9A-Za-z-]+)*)?$/;

/** What stands in the way of a release. */
export function checkRelease(input: ReleaseInput): string[] {
  const { root, packages } = input;
  return [
    ...(VERSION.test(root.version)
      ? []
      : [`package.json: ${root.version} is not a semantic version`]),
    ...packages.flatMap((each) => versionProblems(each, input)),
    ...packages
      .filter(({ manifest }) => manifest.private !== true)
      .flatMap((each) => metadataProblems(each, input)),
    ...changelogProblems(input),
  ];
}

/** One version for all packages, also where they name each other. */
function versionProblems({ folder, manifest }: WorkspacePackage, input: ReleaseInput): string[] {
  const { version } = input.root;
  const own = new Set(input.packages.map((each) => each.manifest.name));
  const locked = input.lockedVersions[folder];
  return [
    ...(manifest.version === version
      ? []
      : [`${folder}: version ${manifest.version} instead of ${version}`]),
    ...(locked === version
      ? []
      : [`package-lock.json: ${folder} has version ${locked} instead of ${version}`]),
    ...Object.entries(manifest.dependencies ?? {})
      .filter(([name, range]) => own.has(name) && range !== version)
      .map(([name, range]) => `${folder}: needs ${name} ${range} instead of ${version}`),
  ];
}

function metadataProblems({ folder, manifest }: WorkspacePackage, input: ReleaseInput): string[] {
  const { root, hasLicense, hasReadme } = input;
  const { description = '', keywords = [], license, engines, publishConfig } = manifest;
  const problems: readonly (readonly [boolean, string])[] = [
    [description.length >= 20, 'has no description'],
    [keywords.length >= 3, 'has fewer than three keywords'],
    [license === root.license, `has the license ${license} instead of ${root.license}`],
    [engines?.['node'] === root.engines?.['node'], 'supports other versions of Node.js'],
    [publishConfig?.['access'] === 'public', 'is not public (publishConfig.access)'],
    [hasLicense(folder), 'has no LICENSE, or another one than the repository'],
    [hasReadme(folder), 'has no README.md'],
  ];
  return problems.filter(([isGood]) => !isGood).map(([, text]) => `${folder}: ${text}`);
}

function changelogProblems({ changelog, tag, root }: ReleaseInput): string[] {
  const sections = changelogSections(changelog);
  const versions = sections.map(({ version }) => version);
  const repeated = versions.filter((version, index) => versions.indexOf(version) !== index);
  const problems = [
    ...repeated.map((version) => `CHANGELOG.md: ${version} occurs twice`),
    ...readChangedFigures(changelog).problems,
  ];
  if (versions[0] !== 'Unreleased') problems.push('CHANGELOG.md: does not begin with Unreleased');
  if (tag === undefined) return problems;
  const entry = sections.find(({ version }) => version === root.version);
  if (tag !== `v${root.version}`) problems.push(`the tag ${tag} is not v${root.version}`);
  if (entry === undefined) problems.push(`CHANGELOG.md: has no entry for ${root.version}`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(entry.date)) {
    problems.push(`CHANGELOG.md: the entry for ${root.version} has no date`);
  } else if (!entry.text.includes('\n- ')) {
    problems.push(`CHANGELOG.md: the entry for ${root.version} is empty`);
  }
  const unreleased = sections.find(({ version }) => version === 'Unreleased');
  if (unreleased?.text.includes('\n- ')) {
    problems.push('CHANGELOG.md: Unreleased has entries that belong to this release');
  }
  return problems;
}

import { type LockedPackage, type Lockfile, packageName, shippedFolders } from './lockfile.ts';

export type Manifest = {
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
};

/** `version` and `license` in the package.json of an installed package. */
export type InstalledPackage = { readonly version?: unknown; readonly license?: unknown };

export type SupplyChain = {
  readonly lock: Lockfile;
  /** By path, `package.json` first. */
  readonly manifests: Readonly<Record<string, Manifest>>;
  /** Undefined for a package of another platform. */
  readonly readInstalled: (folder: string) => InstalledPackage | undefined;
  /** Texts of files that install packages, by path. */
  readonly installers: Readonly<Record<string, string>>;
};

/** All of them allow redistribution under the license of this project, with their text. */
const SHIPPED_LICENSES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
/** Of tools, which are not distributed. */
const TOOL_LICENSES = [...SHIPPED_LICENSES, 'MIT OR Apache-2.0', 'MPL-2.0'];

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
/** Of the package of that name, or of another one (`npm:NAME@1.2.3`). */
const EXACT_VERSION = /^(npm:(@[a-z\d-]+\/)?[a-z\d.-]+@)?\d+\.\d+\.\d+$/;

/** Everything that makes an installation differ from what was reviewed, or run code that was not. */
export function checkSupplyChain(chain: SupplyChain): string[] {
  const { lock, manifests, installers } = chain;
  const shipped = shippedFolders(lock);
  const locked = Object.entries(lock.packages).filter(([folder]) =>
    folder.includes('node_modules/'),
  );
  return [
    ...(lock.lockfileVersion === 3 ? [] : ['package-lock.json: its version is not 3']),
    ...locked.flatMap(([folder, each]) => [
      ...sourceProblems(folder, each),
      ...scriptProblems(folder, each, manifests['package.json']),
    ]),
    ...locked
      .filter(([, { link }]) => !link)
      .flatMap(([folder, each]) =>
        contentProblems(folder, each, { chain, isShipped: shipped.has(folder) }),
      ),
    ...Object.entries(manifests).flatMap(([path, each]) => manifestProblems(path, each)),
    ...Object.entries(installers).flatMap(([path, text]) => installerProblems(path, text)),
  ];
}

/** A package comes from the registry, whose files have this form, and its content is pinned. */
function sourceProblems(folder: string, { resolved, integrity, link, version }: LockedPackage) {
  if (link) {
    return /^packages\/\w+$/.test(resolved ?? '') ? [] : [`${folder}: links outside the workspace`];
  }
  const name = packageName(folder);
  const file = `/${name}/-/${name.replace(/^@[^/]+\//, '')}-${version}.tgz`;
  const isOfRegistry =
    resolved === undefined || (resolved.startsWith('https://') && resolved.endsWith(file));
  return [
    ...(isOfRegistry ? [] : [`${folder}: comes from a URL that is not of the registry`]),
    ...(integrity?.startsWith('sha512-') ? [] : [`${folder}: has no sha512 integrity`]),
  ];
}

function scriptProblems(folder: string, each: LockedPackage, root: Manifest | undefined): string[] {
  if (!each.hasInstallScript) return [];
  if (!each.dev) return [`${folder}: runs a script when users install it`];
  const isRefused = root?.allowScripts?.[packageName(folder)] === false;
  return isRefused ? [] : [`${folder}: has an install script; refuse it in allowScripts`];
}

type Content = { readonly chain: SupplyChain; readonly isShipped: boolean };

function contentProblems(
  folder: string,
  { version, license }: LockedPackage,
  { chain, isShipped }: Content,
): string[] {
  const installed = chain.readInstalled(folder);
  const allowed = isShipped ? SHIPPED_LICENSES : TOOL_LICENSES;
  const actual = installed === undefined ? license : installed.license;
  return [
    ...(installed === undefined || installed.version === version
      ? []
      : [`${folder}: version ${installed.version} is installed instead of ${version}`]),
    ...(typeof actual === 'string' && allowed.includes(actual)
      ? []
      : [`${folder}: the license ${JSON.stringify(actual)} is not in the list`]),
  ];
}

function manifestProblems(path: string, manifest: Manifest): string[] {
  const { dependencies, devDependencies, scripts = {} } = manifest;
  const inexact = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, range]) => !EXACT_VERSION.test(range),
  );
  return [
    ...inexact.map(([name, range]) => `${path}: ${name} is ${range}, not one version`),
    ...INSTALL_SCRIPTS.filter((name) => Object.hasOwn(scripts, name)).map(
      (name) => `${path}: the script ${name} runs on the machines of users`,
    ),
  ];
}

/** `npm ci` installs the lockfile or fails; other commands change it. */
function installerProblems(path: string, text: string): string[] {
  const found = /\bnpm (?:install|i|add|update)\b|\bnpx (?:-y|--yes)\b|\|\s*(?:ba)?sh\b/.exec(text);
  return found === null ? [] : [`${path}: "${found[0]}" installs what no lockfile names`];
}

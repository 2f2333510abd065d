/** One entry of `packages` in package-lock.json. */
export type LockedPackage = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
};

/** Ranges by name. */
type Dependencies = Readonly<Record<string, string>>;

export type Lockfile = {
  readonly lockfileVersion: number;
  /** By folder: empty for the workspace itself, `packages/core`, `node_modules/ws`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const MODULES = 'node_modules/';

/** What these packages need to be built is part of what is published. */
const BUNDLED = ['packages/explorer', 'packages/server'];
/** The gRPC client loads it for a service that this server does not have, so it is not part of the bundle. */
const NOT_BUNDLED = ['@grpc/proto-loader'];

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
export const packageName = (path: string): string =>
  path.slice(path.lastIndexOf(MODULES) + MODULES.length);

/**
 * Folders of the packages that users get: the dependencies of what is published, and what the explorer and the bundle of
 * the server are built from.
 */
export function shippedFolders(lock: Lockfile): ReadonlySet<string> {
  const shipped = new Set<string>();
  const add = (from: string, dependencies: Dependencies = {}): void => {
    for (const name of Object.keys(dependencies)) {
      const folder = findInstalled(lock, from, name);
      if (folder === undefined || shipped.has(folder) || NOT_BUNDLED.includes(name)) continue;
      shipped.add(folder);
      const found = lock.packages[folder];
      add(folder, { ...found?.dependencies, ...found?.optionalDependencies });
    }
  };
  for (const [folder, each] of Object.entries(lock.packages)) {
    if (!/^packages\/[^/]+$/.test(folder)) continue;
    add(folder, each.dependencies);
    if (BUNDLED.includes(folder)) add(folder, withoutTypes(each.devDependencies));
  }
  return shipped;
}

/** The folder that Node.js finds a package in; undefined for a package of the workspace. */
function findInstalled(lock: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const candidate = `${folder === '' ? '' : `${folder}/`}${MODULES}${name}`;
    const found = lock.packages[candidate];
    if (found !== undefined) return found.link ? undefined : candidate;
    if (folder === '') return undefined;
  }
}

const parentOf = (folder: string): string =>
  folder.slice(0, Math.max(0, folder.lastIndexOf('/', folder.lastIndexOf(MODULES))));

const withoutTypes = (dependencies: Dependencies = {}): Dependencies =>
  Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@types/')));

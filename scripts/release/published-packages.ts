import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a package.json that a release depends on. */
export type PackageManifest = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};

export type WorkspacePackage = {
  /** Relative to the root: `packages/core`. */
  readonly folder: string;
  readonly manifest: PackageManifest;
};

export function readManifest(root: string, folder: string): PackageManifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageManifest;
}

/** All packages of the workspace, by folder. */
export function listPackages(root: string): WorkspacePackage[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((name) => `packages/${name}`)
    .map((folder) => ({ folder, manifest: readManifest(root, folder) }));
}

/** Packages that users install, each after those that it depends on. */
export function publishedPackages(all: readonly WorkspacePackage[]): WorkspacePackage[] {
  const waiting = all.filter(({ manifest }) => manifest.private !== true);
  const ordered: WorkspacePackage[] = [];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ manifest }) => manifest.name));
    const isReady = ({ manifest }: WorkspacePackage) =>
      Object.keys(manifest.dependencies ?? {}).every((name) => !names.has(name));
    const index = waiting.findIndex(isReady);
    const [next] = waiting.splice(Math.max(0, index), 1);
    if (index < 0 || next === undefined)
      throw new Error('packages depend on each other in a circle');
    ordered.push(next);
  }
  return ordered;
}

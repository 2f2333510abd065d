import { type Lockfile, packageName, shippedFolders } from './lockfile.ts';

/** The parts of a CycloneDX document that are changed. */
export type Sbom = {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

/**
 * What users get, of a document with all installed packages. `--omit dev` of npm also omits packages that are needed by
 * users and by the tools of this repository.
 */
export function keepShipped(all: Sbom, lock: Lockfile, version: string): Sbom {
  const shipped = new Set(
    [...shippedFolders(lock)].map((path) => `${packageName(path)}@${lock.packages[path]?.version}`),
  );
  const [name, root] = ['tidegate', `tidegate@${version}`];
  const components = all.components.filter((each) => shipped.has(each['bom-ref']));
  const refs = new Set(components.map((each) => each['bom-ref']));
  const inner = all.dependencies.filter(({ ref }) => refs.has(ref));
  const purl = `pkg:npm/${root}`;
  const component = { 'bom-ref': root, type: 'application', name, version, purl };
  return {
    ...all,
    metadata: { ...all.metadata, component },
    components,
    dependencies: [{ ref: root, dependsOn: [...refs] }, ...inner].map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => refs.has(each)),
    })),
  };
}

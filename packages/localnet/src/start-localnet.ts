import type { Sandbox } from './sandbox/sandbox.ts';
import type { SandboxOptions } from './sandbox/sandbox-options.ts';

/**
 * An installed package has all modules of a cluster, with those of `@tidegate/core`, in a few files: Node.js needs more
 * than a second to load six hundred. Errors of a bundle are of its own class; their `code` is the same.
 */
const isInstalled = import.meta.url.includes('/node_modules/');
const BUNDLE: string = './bundle/run-sandbox.js';

type SandboxModule = typeof import('./run-sandbox.ts');

const loadModule = async (): Promise<SandboxModule> =>
  isInstalled ? ((await import(BUNDLE)) as SandboxModule) : import('./run-sandbox.ts');

/** Starts a cluster for tests in this process. It is ready when the promise resolves, and runs until `stop`. */
export async function startLocalnet(options: SandboxOptions = {}): Promise<Sandbox> {
  const { runSandbox } = await loadModule();
  return runSandbox(options);
}

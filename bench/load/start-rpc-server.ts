import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadServer } from './rpc-server.ts';

export type RunningLoadServer = LoadServer & { readonly process: ChildProcess };

/** A cluster with so many obligations, in a process of its own. */
export async function startLoadServer(obligations: number): Promise<RunningLoadServer> {
  const child = fork(new URL('rpc-server.ts', import.meta.url), [`${obligations}`], {
    execArgv: ['--import', 'tsx', '--max-old-space-size=8192'],
  });
  const [urls] = (await once(child, 'message')) as [LoadServer];
  return { ...urls, process: child };
}

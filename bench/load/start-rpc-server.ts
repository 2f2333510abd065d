import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RpcServerUrls } from './rpc-server.ts';

export type RunningRpcServer = RpcServerUrls & { readonly process: ChildProcess };

/**
 * Starts a cluster with this many obligations in its own process. `changing`: further ones that change in every slot.
 * `farmUsers`: stakes.
 */
export async function startRpcServer(
  obligations: number,
  changing = 0,
  farmUsers = 0,
): Promise<RunningRpcServer> {
  const sizes = [`${obligations}`, `${changing}`, `${farmUsers}`];
  const child = fork(new URL('rpc-server.ts', import.meta.url), sizes, {
    execArgv: ['--import', 'tsx', '--max-old-space-size=8192'],
  });
  const [urls] = (await once(child, 'message')) as [RpcServerUrls];
  return { ...urls, process: child };
}

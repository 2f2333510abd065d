import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { NodeCommand, NodeFigures, NodeSizes } from './rpc-server.ts';

/** A simulated mainnet that runs in another process. */
export class MainnetProcess {
  readonly #child: ChildProcess;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Commands take turns: a reply belongs to the oldest one. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(child: ChildProcess, { rpcUrl, wsUrl }: NodeFigures) {
    this.#child = child;
    this.rpcUrl = rpcUrl;
    this.wsUrl = wsUrl;
  }

  static async start(sizes: NodeSizes): Promise<MainnetProcess> {
    const child = fork(new URL('rpc-server.ts', import.meta.url), [JSON.stringify(sizes)], {
      execArgv: ['--import', 'tsx', '--max-old-space-size=4096'],
    });
    const [figures] = (await once(child, 'message')) as [NodeFigures];
    return new MainnetProcess(child, figures);
  }

  send(command: NodeCommand): Promise<NodeFigures> {
    const reply = this.#last.then(async () => {
      this.#child.send(command);
      const [figures] = (await once(this.#child, 'message')) as [NodeFigures];
      return figures;
    });
    this.#last = reply;
    return reply;
  }

  figures(): Promise<NodeFigures> {
    return this.send({ kind: 'figures' });
  }

  stop(): void {
    this.#child.kill();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultContext } from './fault.ts';
import type { Member } from './topology.ts';

const POST_CLIENTS = 4;
const PAUSE_MS = 50;
const MAX_LOST = 5;

/** Requests that a proxy must not repeat. Each is sent once, and must be answered with 200. */
export class PostLoad {
  answered = 0;
  /** Of processes that run this release. */
  readonly lost: string[] = [];
  /** Of processes that run an earlier one, which may not drain. */
  lostByPrevious = 0;
  readonly #context: FaultContext;
  readonly #body: string;
  readonly #running: Promise<unknown>;
  #isStopped = false;

  private constructor(context: FaultContext, body: string) {
    this.#context = context;
    this.#body = body;
    this.#running = Promise.all(Array.from({ length: POST_CLIENTS }, (_, i) => this.#run(i)));
  }

  static async start(context: FaultContext): Promise<PostLoad> {
    const { markets, demo } = context.cluster.simulated.metadata;
    const market = markets[0]?.address;
    const [api] = context.topology.apis;
    const response = await fetch(`${api?.running.url}/svc-market/${market}/reserves/metrics`);
    const [first] = (await response.json()) as { readonly reserve: string }[];
    const body = { wallet: demo.wallet, market, reserve: first?.reserve, amount: '0.01' };
    return new PostLoad(context, JSON.stringify(body));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(client: number): Promise<void> {
    for (let turn = client; !this.#isStopped; turn++) {
      const { routed } = this.#context.topology;
      const api = routed[turn % routed.length];
      if (api !== undefined) await this.#post(api);
      await sleep(PAUSE_MS);
    }
  }

  async #post(api: Member): Promise<void> {
    const { name, running, isPrevious } = api;
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: this.#body };
    try {
      const response = await fetch(`${running.url}/ktx/klend/deposit`, request);
      const text = await response.text();
      if (response.status === 200) this.answered += 1;
      else this.#lose(`${name}: ${response.status} ${text}`, isPrevious);
    } catch (error) {
      this.#lose(`${name}: ${error} ${(error as Error).cause}`, isPrevious);
    }
  }

  #lose(text: string, isPrevious: boolean): void {
    if (isPrevious) this.lostByPrevious += 1;
    else if (this.lost.length < MAX_LOST) this.lost.push(text);
  }
}

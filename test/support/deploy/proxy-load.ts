import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export type LoadRequest = { readonly path: string; readonly body?: unknown };

type LoadOptions = {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  /** Clients that send one request after the other, each on its own connection. */
  readonly clients: number;
};

/** Calls a proxy until it is stopped. `lost` has what was not answered as it should be. */
export class ProxyLoad {
  answered = 0;
  readonly lost: string[] = [];
  readonly #options: LoadOptions;
  readonly #agent: HttpAgent;
  readonly #clients: readonly Promise<void>[];
  #isStopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { clients: maxSockets, url } = options;
    const shared = { keepAlive: true, maxSockets };
    // the certificate of the test is its own
    this.#agent = url.startsWith('https:')
      ? new HttpsAgent({ ...shared, rejectUnauthorized: false })
      : new HttpAgent(shared);
    this.#clients = Array.from({ length: maxSockets }, (_, client) => this.#run(client));
  }

  /** Resolves when the requests that are open are answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #run(client: number): Promise<void> {
    const { requests } = this.#options;
    for (let round = client; !this.#isStopped; round++) {
      const next = requests[round % requests.length];
      if (next === undefined) return;
      const failure = await this.#send(next).catch((error: Error) => `no answer: ${error.message}`);
      if (failure === undefined) this.answered += 1;
      else this.lost.push(`${next.body === undefined ? 'GET' : 'POST'} ${next.path} ${failure}`);
    }
  }

  async #send({ path, body }: LoadRequest): Promise<string | undefined> {
    const { url } = this.#options;
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = send(`${url}${path}`, {
      agent: this.#agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', host: 'api.example.com' },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    return response.statusCode === 200 ? undefined : `${response.statusCode} ${text.slice(0, 200)}`;
  }
}

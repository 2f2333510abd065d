import { type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type ReceivedEvent = {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
  /** Milliseconds, as `performance.now()` has them. */
  readonly receivedAt: number;
};

/** A client of a stream, which keeps everything that it receives. */
export class StreamClient {
  readonly #response: IncomingMessage;
  readonly #request: ClientRequest;
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  /** What `last-event-id` would be now. */
  lastEventId = '';
  hasEnded = false;
  #rest = '';

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#read(text));
    response.on('close', () => {
      this.hasEnded = true;
    });
    response.on('error', () => undefined);
  }

  /** Resolves when the stream begins. Throws if the response is none. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
    const { request, response } = await sendStreamRequest(url, headers);
    const type = String(response.headers['content-type']);
    if (response.statusCode !== 200 || type !== 'text/event-stream') {
      throw new Error(`${url}: ${response.statusCode} ${await buffer(response)}`);
    }
    return new StreamClient(request, response);
  }

  get headers(): IncomingHttpHeaders {
    return this.#response.headers;
  }

  /** Data of the events with a name. */
  data(event: string): unknown[] {
    return this.events.filter((each) => each.event === event).map(({ data }) => data);
  }

  ids(event: string): (string | undefined)[] {
    return this.events.filter((each) => each.event === event).map(({ id }) => id);
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #read(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#readBlock(block);
  }

  #readBlock(block: string): void {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? []);
    const fieldOf = (name: string) => fields.find(([, field]) => field === name)?.[2];
    const [id, data] = [fieldOf('id'), fieldOf('data')];
    if (id !== undefined) this.lastEventId = id;
    if (fieldOf('') !== undefined) this.comments.push(fieldOf('') ?? '');
    if (data === undefined) return;
    const event = fieldOf('event') ?? 'message';
    this.events.push({ id, event, data: JSON.parse(data), receivedAt: performance.now() });
  }
}

/** Sends a request for a stream, whatever the response is. */
export function sendStreamRequest(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ readonly request: ClientRequest; readonly response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const all = { accept: 'text/event-stream', ...headers };
    const request = get(url, { headers: all, agent: false }, (response) => {
      resolve({ request, response });
    });
    request.on('error', reject);
  });
}

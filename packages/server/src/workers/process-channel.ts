import { fromProcessFailure, type ProcessFailure, toProcessFailure } from './process-failure.ts';

type RequestTypes = Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;

/** Does the requests of the other process. */
export type RequestHandlers<Requests extends RequestTypes> = {
  readonly [Name in keyof Requests]: (
    input: Requests[Name]['input'],
  ) => Requests[Name]['output'] | Promise<Requests[Name]['output']>;
};

type Message =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly name: string;
      readonly input: unknown;
    }
  | { readonly kind: 'reply'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: ProcessFailure };

type Pending = {
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
};

/** One end of the connection between two processes. Messages arrive in order. */
export type ProcessPort = {
  /** Does nothing if the other process has ended. */
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
};

/** Requests to another process, and those of the other process to this one. */
export class ProcessChannel<Outgoing extends RequestTypes, Incoming extends RequestTypes> {
  readonly #port: ProcessPort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #closed: Error | undefined;

  constructor(port: ProcessPort, handlers: RequestHandlers<Incoming>) {
    this.#port = port;
    port.onMessage((message) => {
      if (!isMessage(message)) return;
      if (message.kind === 'request') void this.#handle(message, handlers);
      else this.#settle(message);
    });
  }

  request<Name extends keyof Outgoing & string>(
    name: Name,
    input: Outgoing[Name]['input'],
  ): Promise<Outgoing[Name]['output']> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.send({ kind: 'request', id, name, input } satisfies Message);
    });
  }

  /** Rejects what is pending. Call it when the other process has ended. */
  close(): void {
    this.#closed = new Error('the other process has ended');
    for (const { reject } of this.#pending.values()) reject(this.#closed);
    this.#pending.clear();
  }

  async #handle(
    { id, name, input }: Extract<Message, { readonly kind: 'request' }>,
    handlers: RequestHandlers<Incoming>,
  ): Promise<void> {
    try {
      const output = await handlers[name]?.(input as never);
      this.#port.send({ kind: 'reply', id, output } satisfies Message);
    } catch (error) {
      const failure = toProcessFailure(error);
      this.#port.send({ kind: 'failure', id, failure } satisfies Message);
    }
  }

  #settle(message: Exclude<Message, { readonly kind: 'request' }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'reply') pending?.resolve(message.output as never);
    else pending?.reject(fromProcessFailure(message.failure));
  }
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kind' in message && 'id' in message;

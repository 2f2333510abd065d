import { Duplex } from 'node:stream';
import { CodedError, type Commitment, formatError } from '@tidegate/core/base';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';
import type { StreamSource } from '../source/stream.ts';
import { GeyserStream } from './geyser-stream.ts';

export type GeyserSourceOptions = {
  readonly url: URL;
  /** Sent as `x-token`. */
  readonly token?: string;
  readonly commitment: Commitment;
  readonly pingMs?: number;
  /** Loads the client package, if it is not installed under its own name. */
  readonly load?: () => Promise<unknown>;
};

type GeyserClient = {
  connect(): Promise<void>;
  subscribe(): Promise<unknown>;
};

type ClientConstructor = new (
  endpoint: string,
  token: string | undefined,
  channel: undefined,
) => unknown;

/** Not a dependency, because it contains a native module that few users need. Version 5 or later. */
const PACKAGE: string = '@triton-one/yellowstone-grpc';

/**
 * Streams updates over Yellowstone gRPC. As with WebSocket, closed accounts of a subscribed program are not announced.
 */
export function createGeyserSource(options: GeyserSourceOptions): StreamSource {
  const { token, commitment, pingMs = 10_000, load = () => import(PACKAGE) } = options;
  const url = parseEndpointUrl(options.url);
  const name = `grpc ${url.host}`;
  return {
    name,
    async open(listener) {
      const Client = await loadClient(load, name);
      try {
        const client = new Client(url.href, token, undefined);
        if (!isClient(client)) throw new Error('the package has an unknown interface');
        await client.connect();
        const duplex = await client.subscribe();
        if (!(duplex instanceof Duplex)) throw new Error('the package has an unknown interface');
        return new GeyserStream({ duplex, listener, pingMs, commitment, name });
      } catch (error) {
        const reason = url.redact(redactSecret(formatError(error), token ?? ''));
        throw new CodedError('SOURCE_UNAVAILABLE', { source: name, reason }, error);
      }
    },
  };
}

async function loadClient(
  load: () => Promise<unknown>,
  source: string,
): Promise<ClientConstructor> {
  try {
    const module = await load();
    const found = findClient(module);
    if (found !== undefined) return found;
  } catch (error) {
    const reason = `install ${PACKAGE} to use gRPC`;
    throw new CodedError('SOURCE_REFUSES', { source, reason }, error);
  }
  const reason = `this release does not support the installed version of ${PACKAGE}`;
  throw new CodedError('SOURCE_REFUSES', { source, reason });
}

/** Importing a CommonJS module nests its default export in another `default`. */
function findClient(module: unknown): ClientConstructor | undefined {
  const outer = defaultOf(module);
  if (isConstructor(outer)) return outer;
  const inner = defaultOf(outer);
  return isConstructor(inner) ? inner : undefined;
}

function defaultOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'default' in value
    ? value.default
    : undefined;
}

function isConstructor(value: unknown): value is ClientConstructor {
  return typeof value === 'function';
}

function isClient(value: unknown): value is GeyserClient {
  if (typeof value !== 'object' || value === null) return false;
  return 'connect' in value && 'subscribe' in value;
}

function redactSecret(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '***');
}

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
  /** The package of the client, for whom it is not installed under its own name. */
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

/** Not a dependency: it brings a native module that few need. Version 5 or later. */
const PACKAGE: string = '@triton-one/yellowstone-grpc';

/**
 * Live updates over Yellowstone gRPC. Like over WebSocket, that an account of a followed program was closed is not
 * announced.
 */
export function createGeyserSource(options: GeyserSourceOptions): StreamSource {
  const { token, commitment, pingMs = 10_000, load = () => import(PACKAGE) } = options;
  const url = parseEndpointUrl(options.url);
  const name = `grpc ${url.host}`;
  return {
    name,
    async open(events) {
      const Client = await clientOf(load, name);
      try {
        const client = new Client(url.href, token, undefined);
        if (!isClient(client)) throw new Error('the package has another interface');
        await client.connect();
        const duplex = await client.subscribe();
        if (!(duplex instanceof Duplex)) throw new Error('the package has another interface');
        return new GeyserStream({ duplex, events, pingMs, commitment, name });
      } catch (error) {
        const reason = url.redact(hide(formatError(error), token ?? ''));
        throw new CodedError('SOURCE_UNAVAILABLE', { source: name, reason }, error);
      }
    },
  };
}

async function clientOf(load: () => Promise<unknown>, source: string): Promise<ClientConstructor> {
  try {
    const module = await load();
    const found = findClient(module);
    if (found !== undefined) return found;
  } catch (error) {
    const reason = `install ${PACKAGE} to use it`;
    throw new CodedError('SOURCE_REFUSES', { source, reason }, error);
  }
  const reason = `${PACKAGE} has another interface than this release knows`;
  throw new CodedError('SOURCE_REFUSES', { source, reason });
}

/** Seen from a module the default export of a CommonJS one is in the default once more. */
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

function hide(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '***');
}

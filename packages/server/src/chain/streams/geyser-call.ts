import type { Client, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { formatError } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';

type Grpc = typeof import('@grpc/grpc-js');

export type GeyserCallOptions = {
  readonly url: URL;
  /** Sent as `x-token`. */
  readonly token?: string | undefined;
  readonly timeoutMs: number;
  readonly maxMessageBytes: number;
};

/** An open subscription call. Messages are encoded. */
export type GeyserCall = {
  readonly stream: ClientDuplexStream<Uint8Array, Uint8Array>;
  /** One line about an error, without secrets. */
  describe(error: unknown): string;
  close(): void;
};

const METHOD = '/geyser.Geyser/Subscribe';
/** Unread bytes that the server may send. With the default of 64 KB, a distant server would fall behind. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export const geyserName = (url: URL): string => `grpc ${url.host}`;

/** Throws SOURCE_UNAVAILABLE if the endpoint does not respond. If it refuses the connection, the call fails at once. */
export async function openGeyserCall(options: GeyserCallOptions): Promise<GeyserCall> {
  const { url, token = '', timeoutMs } = options;
  // loaded when it is needed, because few servers use it; a bundled CommonJS module has only a default export
  const { default: grpc } = await import('@grpc/grpc-js');
  const endpoint = parseEndpointUrl(url);
  const describe = (error: unknown) => endpoint.redact(redactSecret(describeError(error), token));
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(endpoint.headers)) metadata.set(name, value);
  if (token !== '') metadata.set('x-token', token);
  const client = createClient(grpc, options);
  try {
    await waitForConnection(grpc, client, timeoutMs);
  } catch {
    client.close();
    const reason = `no connection within ${timeoutMs} ms`;
    throw new CodedError('SOURCE_UNAVAILABLE', { source: geyserName(url), reason });
  }
  const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes);
  const toBytes = (buffer: Buffer): Uint8Array => buffer;
  const stream = client.makeBidiStreamRequest(METHOD, toBuffer, toBytes, metadata);
  const close = () => {
    stream.cancel();
    client.close();
  };
  return { stream, describe, close };
}

/** The status code of a failed call; undefined for other errors. */
export function statusCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

function createClient(grpc: Grpc, { url, maxMessageBytes }: GeyserCallOptions): Client {
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port;
  const { credentials } = grpc;
  return new grpc.Client(
    `${url.hostname}:${port}`,
    isSecure ? credentials.createSsl() : credentials.createInsecure(),
    {
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc-node.flow_control_window': WINDOW_BYTES,
      // a failed stream is opened again where it ended, never repeated as it was
      'grpc.enable_retries': 0,
      // only settings of this server decide where it connects
      'grpc.enable_http_proxy': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
    },
  );
}

/** Resolves when the connection is open or failed. */
async function waitForConnection(grpc: Grpc, client: Client, timeoutMs: number): Promise<void> {
  const channel = client.getChannel();
  const { IDLE, CONNECTING } = grpc.connectivityState;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const state = channel.getConnectivityState(true);
    if (state !== IDLE && state !== CONNECTING) return;
    await new Promise<void>((resolve, reject) => {
      channel.watchConnectivityState(state, deadline, (error) =>
        error === undefined ? resolve() : reject(error),
      );
    });
  }
}

/** The message of the server, without what the client adds to it. */
function describeError(error: unknown): string {
  return isServiceError(error) && error.details !== '' ? error.details : formatError(error);
}

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'details' in error && typeof error.details === 'string';

function redactSecret(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '***');
}

import { Agent, request as sendRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';

export type FuzzResponse = {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly ms: number;
};

type SentRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

export type KeepAliveClient = {
  readonly send: (request: SentRequest) => Promise<FuzzResponse>;
  readonly close: () => void;
};

/** Sends requests as they are given over a few connections. Unlike `fetch`, it adds no headers. */
export function createKeepAliveClient(url: string, connections: number): KeepAliveClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = ({ method, target, headers, body }: SentRequest) =>
    new Promise<FuzzResponse>((resolve, reject) => {
      const start = performance.now();
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = sendRequest(
        { agent, hostname, port, method, path: target, headers: { ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const isZipped = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
            resolve({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              text: (isZipped ? gunzipSync(bytes) : bytes).toString(),
              ms: performance.now() - start,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

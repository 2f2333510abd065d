import { connect } from 'node:net';

type Sending = {
  /** Ends the stream after the bytes, so that the server does not wait for more. It then drops pending responses. */
  readonly endsStream?: boolean;
};

/** Resolves to everything that the server sends until it closes the connection, also if it resets it. */
export async function sendBytes(
  url: string,
  bytes: string | Uint8Array,
  { endsStream = false }: Sending = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('error', () => socket.destroy());
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  if (endsStream) socket.end();
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve());
    socket.on('end', () => socket.destroy());
  });
  return Buffer.concat(chunks).toString('latin1');
}

/** The statuses of all responses in a stream. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

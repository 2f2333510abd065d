import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { OnEnd } from '../processes/test-scope.ts';

type RecordingProxy = {
  readonly url: string;
  /** Method and path of each request. */
  readonly requests: readonly string[];
};

/** Forwards requests to a server and records them. */
export async function startRecordingProxy(target: string, onEnd: OnEnd): Promise<RecordingProxy> {
  const requests: string[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    requests.push(`${method} ${path}`);
    const body = await buffer(request);
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: {
        accept: headers.accept ?? '*/*',
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(body.length > 0 && { body: body.toString('utf8') }),
    });
    const { 'content-encoding': _encoding, ...forwarded } = Object.fromEntries(answer.headers);
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...forwarded, 'content-length': bytes.length }).end(bytes);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

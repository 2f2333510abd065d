import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connectRedis } from '#server/redis/connect-redis.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { usesServices } from './services.ts';

/** A Redis server of a test, without persistence. */
export type RedisProcess = {
  readonly url: string;
  /** Stops it; everything in it is lost. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
};

export const hasRedis = (): boolean =>
  usesServices && spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis(): Promise<RedisProcess> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(port, url);
  return {
    url,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    async restart() {
      child = await launch(port, url);
    },
  };
}

async function launch(port: number, url: string): Promise<ChildProcess> {
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const connection = await connectRedis(url, { log: silentLog });
  const answers = () =>
    connection.send(['PING']).then(
      () => true,
      () => false,
    );
  await waitUntil(answers, 'Redis answers');
  connection.close();
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

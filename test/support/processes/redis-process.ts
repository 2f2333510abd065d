import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connectRedis } from '#server/redis/connect-redis.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { findFreePort } from './free-port.ts';
import { usesServices } from './services.ts';

/** A Redis server of a test, without persistence. */
export type RedisProcess = {
  readonly url: string;
  /** Empty if it needs none. */
  readonly password: string;
  /** Stops it; everything in it is lost. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** From now on it accepts another password. Connections go on. */
  rotatePassword(): Promise<void>;
  /** Runs a command. */
  send(command: readonly string[]): Promise<unknown>;
};

export const hasRedis = (): boolean =>
  usesServices && spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis({ hasPassword = false } = {}): Promise<RedisProcess> {
  const port = await findFreePort();
  let password = hasPassword ? randomUUID() : '';
  const urlOf = () => `redis://${password && `:${password}@`}127.0.0.1:${port}`;
  let child = await launch(port, password, urlOf());
  const send = async (command: readonly string[]): Promise<unknown> => {
    const connection = await connectWhenAnswering(urlOf());
    try {
      return await connection.send(command);
    } finally {
      connection.close();
    }
  };
  return {
    get url() {
      return urlOf();
    },
    get password() {
      return password;
    },
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    async restart() {
      child = await launch(port, password, urlOf());
    },
    async rotatePassword() {
      const next = randomUUID();
      await send(['CONFIG', 'SET', 'requirepass', next]);
      password = next;
    },
    send,
  };
}

async function launch(port: number, password: string, url: string): Promise<ChildProcess> {
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const access = password === '' ? [] : ['--requirepass', password];
  const child = spawn('redis-server', [...args, ...access], { stdio: 'ignore' });
  (await connectWhenAnswering(url)).close();
  return child;
}

async function connectWhenAnswering(url: string): ReturnType<typeof connectRedis> {
  const connection = await connectRedis(url, { log: silentLog });
  const answers = () =>
    connection.send(['PING']).then(
      () => true,
      () => false,
    );
  await waitUntil(answers, 'Redis answers');
  return connection;
}

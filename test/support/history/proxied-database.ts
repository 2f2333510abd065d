import { connect } from 'node:net';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../fakes/breakable-proxy.ts';
import { createPostgresDatabase } from './test-databases.ts';

/** A PostgreSQL database of the running test behind a proxy that can be cut. */
export type ProxiedDatabase = {
  /** Through the proxy. */
  readonly url: string;
  /** Directly. */
  readonly directUrl: string;
  readonly proxy: TcpProxy;
};

export async function createProxiedDatabase(server: string): Promise<ProxiedDatabase> {
  const { location, remove } = await createPostgresDatabase(server);
  onTestFinished(remove);
  const { host, port, user, database } = new pg.Client({ connectionString: location.url ?? '' });
  const proxy = await startTcpProxy(() =>
    host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host),
  );
  const url = `postgres://${encodeURIComponent(user ?? '')}@127.0.0.1:${proxy.port}/${database}`;
  return { url, directUrl: location.url ?? '', proxy };
}

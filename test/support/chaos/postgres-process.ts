import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil } from '../waiting/wait-until.ts';

/** Used by the tests' own servers; PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 'nobody';
const PORT = 5432;
const START_POLL_MS = 50;
const MAX_DUMP_BYTES = 500e6;
const SCHEMA = 'tidegate_localnet';

/** Quick, small, and without a file that grows in steps of 16 MB. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '120',
  shared_buffers: '24MB',
  min_wal_size: '4MB',
  max_wal_size: '24MB',
  wal_keep_size: '24MB',
  max_worker_processes: '2',
  autovacuum_naptime: '600s',
  log_min_messages: 'fatal',
  // the restart after a disk that was full must not wait for a checkpoint of minutes
  checkpoint_timeout: '30s',
} as const;

/** The user of the processes under test, who needs a password. The tests themselves need none. */
export const DATABASE_USER = 'tidegate';
const ACCESS = `local all ${DATABASE_USER} scram-sha-256\nlocal all all trust\nlocal replication all trust\n`;

/** Into the database that exists, or into a new one in its place. */
export type RestoreWay = 'in place' | 'another database';

/** How a server is stopped: as by an administrator, or as by a crash. */
export type PostgresStop = 'SIGINT' | 'SIGQUIT';

/** A PostgreSQL server of a test on a socket in its own folder. */
export class PostgresProcess {
  readonly folder: string;
  readonly #bin: string;
  #child: ChildProcess | undefined;
  /** Of the user of the processes. */
  password = 'first';

  private constructor(folder: string, bin: string) {
    this.folder = folder;
    this.#bin = bin;
  }

  /** Creates a database cluster and starts its server. The folder must exist. */
  static async create(folder: string): Promise<PostgresProcess> {
    const bin = requireBin();
    const server = new PostgresProcess(folder, bin);
    own(folder);
    server.#run('initdb', ['--no-sync', '--auth=trust', '--username=chaos', '--wal-segsize=1']);
    writeFileSync(join(server.#data, 'pg_hba.conf'), ACCESS);
    await server.start();
    await server.query(`create role ${DATABASE_USER} login password '${server.password}'`);
    await server.query(`alter database postgres owner to ${DATABASE_USER}`);
    return server;
  }

  /** Creates a replica that streams from the given server, and starts it. */
  static async createReplica(primary: PostgresProcess, folder: string): Promise<PostgresProcess> {
    const server = new PostgresProcess(folder, requireBin());
    own(folder);
    const source = ['--host', primary.folder, '--port', `${PORT}`, '--username', 'chaos'];
    const options = ['--write-recovery-conf', '--no-sync', '--checkpoint=fast'];
    server.#run('pg_basebackup', [...source, ...options]);
    await server.start();
    return server;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && !this.#child.killed;
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  /** Directly, past every proxy, as an administrator. */
  get url(): string {
    return this.#urlOf('postgres');
  }

  #urlOf(name: string): string {
    return `postgres://chaos@/${name}?host=${encodeURIComponent(this.folder)}`;
  }

  connectSocket = (): Socket => connect(join(this.folder, `.s.PGSQL.${PORT}`));

  async start(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const listen = ['-k', this.folder, '-c', 'listen_addresses=', '-p', `${PORT}`];
    this.#child = spawn(join(this.#bin, 'postgres'), ['-D', this.#data, ...listen, ...settings], {
      ...identity(),
      stdio: 'ignore',
    });
    const child = this.#child;
    const isStarted = async () => {
      if (await canQuery(this.url)) return true;
      if (child.exitCode === null && child.signalCode === null) return false;
      throw new Error(`PostgreSQL exited: ${child.exitCode ?? child.signalCode}`);
    };
    await waitUntil(isStarted, 'PostgreSQL answers', START_POLL_MS);
  }

  async stop(signal: PostgresStop): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  async query(text: string, name = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#urlOf(name) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** From now on the server accepts another password. Sessions go on. */
  async rotatePassword(): Promise<void> {
    this.password = randomUUID();
    await this.query(`alter role ${DATABASE_USER} password '${this.password}'`);
  }

  /** How many sessions the processes may begin; -1 for no limit. */
  async limitConnections(limit: number): Promise<void> {
    await this.query(`alter role ${DATABASE_USER} connection limit ${limit}`);
  }

  /** The database as it is now, as SQL. */
  dump(): Buffer {
    const args = [`--dbname=${this.url}`];
    return execFileSync(join(this.#bin, 'pg_dump'), args, { maxBuffer: MAX_DUMP_BYTES });
  }

  async restore(dump: Buffer, way: RestoreWay): Promise<void> {
    if (way === 'another database') {
      await this.query('drop database postgres with (force)', 'template1');
      await this.query(`create database postgres owner ${DATABASE_USER}`, 'template1');
    }
    const options = ['--quiet', '--no-psqlrc', '--single-transaction', '--set=ON_ERROR_STOP=1'];
    const cleaning = `drop schema if exists ${SCHEMA} cascade`;
    const args = [...options, `--dbname=${this.url}`, `--command=${cleaning}`, '--file=-'];
    const child = spawn(join(this.#bin, 'psql'), args, { stdio: ['pipe', 'ignore', 'pipe'] });
    let problems = '';
    child.stderr.on('data', (chunk: Buffer) => {
      problems += chunk;
    });
    // a failure is reported with its reason below
    child.stdin.on('error', () => undefined);
    child.stdin.end(dump);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`psql: ${problems}`);
  }

  #run(program: string, args: readonly string[]): void {
    mkdirSync(this.#data);
    own(this.#data);
    chmodSync(this.#data, 0o700);
    const all = ['--pgdata', this.#data, ...args];
    execFileSync(join(this.#bin, program), all, {
      ...identity(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}

export const hasPostgresPrograms = (): boolean => findBin() !== undefined;

function requireBin(): string {
  const bin = findBin();
  if (bin === undefined) throw new Error('there is no initdb');
  return bin;
}

/** The folder of the newest installed server programs. */
function findBin(): string | undefined {
  const installed = listFolder('/usr/lib/postgresql')
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`);
  const { PATH = '' } = process.env;
  const folders = [...installed, ...PATH.split(':')];
  return folders.find((folder) => {
    const { status } = spawnSync(join(folder, 'initdb'), ['--version'], { stdio: 'ignore' });
    return status === 0;
  });
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

let unprivileged: { readonly uid: number; readonly gid: number } | undefined;

/** The user that runs the server: this one, or an unprivileged one if this is root. */
function identity(): { readonly uid: number; readonly gid: number } | Record<string, never> {
  if (!isRoot()) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, UNPRIVILEGED]).toString());
  unprivileged ??= { uid: idOf('-u'), gid: idOf('-g') };
  return unprivileged;
}

function own(folder: string): void {
  const { uid, gid } = identity();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

async function canQuery(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

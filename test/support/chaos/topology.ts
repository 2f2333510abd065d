import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type RoleProcess,
  startRole,
  waitUntilRoleReady,
} from '../../../scripts/topology/role-process.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { PolledSlots } from './polled-slots.ts';
import { DATABASE_USER } from './postgres-process.ts';
import type { TopologyParts } from './topology-parts.ts';

const NAMES = ['index-1', 'index-2', 'api-1', 'api-2', 'api-3'] as const;
/** This one reads history from the replica. */
const ON_REPLICA = 'api-3';
const MAX_LINES = 5_000;
/** Long enough for a proxy that asks `/ready` every 100 ms. */
const DRAIN_SECONDS = '2';

const shiftClock = pathToFileURL(join(import.meta.dirname, 'shift-clock.js')).href;

/** One of the processes of a deployment, which may be killed and started again. */
export type Member = {
  readonly name: string;
  readonly command: 'index' | 'api';
  running: RunningMember;
  /** Whether it runs the program of an earlier release. */
  isPrevious: boolean;
};

export type RunningMember = {
  readonly role: RoleProcess;
  readonly url: string;
  /** Whether it has answered `/ready` with 200. */
  isReady: boolean;
  /** Whether it was killed, so that its connections may break. */
  isEnding: boolean;
  /** Whether its `/ready` has said that it drains, so that a proxy sends it nothing more. */
  isDraining: boolean;
  /** The newest slot that it has answered with. */
  newestSlot: bigint;
};

/** Two index and three api processes. */
export class Topology {
  readonly parts: TopologyParts;
  readonly members: Member[] = [];
  /** The newest lines of all processes, with their names. */
  readonly #written: { readonly name: string; readonly line: string }[] = [];
  #dropped = 0;
  readonly #previousRelease: string | undefined;
  readonly polled = new PolledSlots();
  /** The last line of each process, until it is complete. */
  readonly #lines = new Map<string, string>();

  private constructor(parts: TopologyParts, previousRelease: string | undefined) {
    this.parts = parts;
    this.#previousRelease = previousRelease;
  }

  /**
   * Resolves when one index process writes and all api processes are ready. With the program of an earlier release, all processes
   * begin with that one.
   */
  static async start(parts: TopologyParts, previousRelease?: string): Promise<Topology> {
    const topology = new Topology(parts, previousRelease);
    const [writer, ...others] = NAMES;
    const first = await topology.#add(writer);
    await topology.#waitUntilReady(first.running);
    await Promise.all(others.map((name) => topology.#add(name)));
    await Promise.all(topology.apis.map(({ running }) => topology.#waitUntilReady(running)));
    return topology;
  }

  get apis(): readonly Member[] {
    return this.members.filter(({ command }) => command === 'api');
  }

  /** Those to which a proxy sends requests. */
  get routed(): readonly Member[] {
    return this.apis.filter(({ running }) => running.isReady && !running.isDraining);
  }

  /** The index process that writes; undefined while none does. */
  async findWriter(): Promise<Member | undefined> {
    for (const member of this.members) {
      if (member.command === 'index' && (await answersReady(member.running))) return member;
    }
    return undefined;
  }

  /** Whether a writer polls, because no stream works. */
  async isPolling(): Promise<boolean> {
    const indexes = this.members.filter(({ command }) => command === 'index');
    const steps = await Promise.all(indexes.map(({ running }) => readSourceStep(running)));
    return steps.includes('polling');
  }

  kill({ running }: Member): void {
    running.isEnding = true;
    running.role.child.kill('SIGKILL');
  }

  /** Ends a process with SIGTERM, as a supervisor does. Its connections must not break. */
  async drain({ name, running }: Member): Promise<void> {
    running.role.child.kill('SIGTERM');
    const isUnready = async () => !(await answersReady(running));
    await waitUntil(isUnready, `${name} is not ready any more`);
    running.isDraining = true;
    const code = await running.role.exited;
    if (code !== 0) throw new Error(`${name} exited (${code})`);
  }

  /** Starts a process again, on another port. */
  async restart(member: Member): Promise<void> {
    member.running = await this.#launch(member);
    if (member.command === 'api') await this.#waitUntilReady(member.running);
  }

  /** Kills and starts one process after the other. No api process gets ready before an index process publishes. */
  async restartAll(): Promise<void> {
    const indexes = this.members.filter(({ command }) => command === 'index');
    for (const member of [...indexes, ...this.apis]) {
      this.kill(member);
      await member.running.role.exited;
      await this.restart(member);
    }
  }

  /** Moves the wall clock of a process. */
  shiftClock({ name }: Member, ms: number): void {
    writeFileSync(this.#clockFile(name), String(ms));
  }

  /** What all processes wrote, with their names. */
  get output(): string {
    return this.#written.map(({ name, line }) => `${name} ${line}\n`).join('');
  }

  /** Where the output ends now. */
  mark(): number {
    return this.#dropped + this.#written.length;
  }

  /** What a process wrote since a mark. */
  linesOf(name: string, since: number): readonly string[] {
    const lines = this.#written.slice(Math.max(0, since - this.#dropped));
    return lines.filter((each) => each.name === name).map(({ line }) => line);
  }

  async stop(): Promise<void> {
    for (const member of this.members) this.kill(member);
    await Promise.all(this.members.map(({ running }) => running.role.exited));
  }

  async #add(name: string): Promise<Member> {
    const isPrevious = this.#previousRelease !== undefined;
    const running = await this.#launch({ name, isPrevious });
    const member = { name, command: commandOf(name), running, isPrevious };
    this.members.push(member);
    return member;
  }

  async #launch({ name, isPrevious }: Pick<Member, 'name' | 'isPrevious'>): Promise<RunningMember> {
    const role = startRole({
      program: isPrevious ? this.#previousRelease : undefined,
      command: commandOf(name),
      name,
      port: 0,
      dataDir: join(this.parts.folder, name),
      env: {
        ...environment(this.parts),
        CLOCK_SHIFT_FILE: this.#clockFile(name),
        ...(name === ON_REPLICA && { READ_DATABASE_URL: databaseUrl(this.parts, 'replica') }),
      },
      onOutput: (text) => this.#collect(name, text),
    });
    const url = await role.url;
    return { role, url, isReady: false, isEnding: false, isDraining: false, newestSlot: 0n };
  }

  #clockFile(name: string): string {
    return join(this.parts.folder, `${name}.clock`);
  }

  async #waitUntilReady(running: RunningMember): Promise<void> {
    await waitUntilRoleReady(running.role);
    running.isReady = true;
  }

  #collect(name: string, text: string): void {
    const lines = `${this.#lines.get(name) ?? ''}${text}`.split('\n');
    this.#lines.set(name, lines.pop() ?? '');
    const shown = lines.filter((line) => line !== '' && !line.includes('"request"'));
    for (const line of shown) this.polled.noteLine(name, line);
    this.#written.push(...shown.map((line) => ({ name, line })));
    this.#dropped += this.#written.splice(0, this.#written.length - MAX_LINES).length;
  }
}

const commandOf = (name: string): Member['command'] => (name.startsWith('index') ? 'index' : 'api');

const databaseUrl = (
  { links, database }: TopologyParts,
  link: 'postgres' | 'replica' = 'postgres',
): string =>
  `postgres://${DATABASE_USER}:${database.password}@127.0.0.1:${links[link].port}/postgres`;

const environment = (parts: TopologyParts) => ({
  PATH: process.env['PATH'] ?? '',
  NODE_OPTIONS: `--import ${shiftClock}`,
  CLUSTER: 'localnet',
  RPC_URL: `http://127.0.0.1:${parts.links.rpc.port}`,
  WS_URL: `ws://127.0.0.1:${parts.links.rpc.port}`,
  DATABASE_URL: databaseUrl(parts),
  REDIS_URL: `redis://:${parts.redis.password}@127.0.0.1:${parts.links.redis.port}`,
  RATE_LIMIT: 'off',
  DRAIN_SECONDS,
});

export async function answersReady({ url }: RunningMember): Promise<boolean> {
  try {
    const { status } = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) });
    return status === 200;
  } catch {
    return false;
  }
}

type StatusJson = {
  readonly clusters: readonly { readonly source?: { readonly step: string } }[];
};

async function readSourceStep({ url }: RunningMember): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/status`, { signal: AbortSignal.timeout(2_000) });
    const [cluster] = ((await response.json()) as StatusJson).clusters;
    return cluster?.source?.step;
  } catch {
    return undefined;
  }
}

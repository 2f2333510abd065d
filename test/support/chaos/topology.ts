import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type RoleProcess,
  startRole,
  waitUntilRoleReady,
} from '../../../scripts/topology/role-process.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { PolledSlots } from './polled-slots.ts';
import type { Links, TopologyParts } from './topology-parts.ts';

const NAMES = ['index-1', 'index-2', 'api-1', 'api-2', 'api-3'] as const;
/** This one reads history from the replica. */
const ON_REPLICA = 'api-3';
const MAX_OUTPUT = 300_000;

const shiftClock = pathToFileURL(join(import.meta.dirname, 'shift-clock.js')).href;

/** One of the processes of a deployment, which may be killed and started again. */
export type Member = {
  readonly name: string;
  readonly command: 'index' | 'api';
  running: RunningMember;
};

export type RunningMember = {
  readonly role: RoleProcess;
  readonly url: string;
  /** Whether it has answered `/ready` with 200. */
  isReady: boolean;
  /** Whether it was killed, so that its connections may break. */
  isEnding: boolean;
  /** The newest slot that it has answered with. */
  newestSlot: bigint;
};

/** Two index and three api processes. */
export class Topology {
  readonly parts: TopologyParts;
  readonly members: Member[] = [];
  /** What all processes wrote, with their names. */
  output = '';
  readonly polled = new PolledSlots();
  /** The last line of each process, until it is complete. */
  readonly #lines = new Map<string, string>();

  private constructor(parts: TopologyParts) {
    this.parts = parts;
  }

  /** Resolves when one index process writes and all api processes are ready. */
  static async start(parts: TopologyParts): Promise<Topology> {
    const topology = new Topology(parts);
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

  /** Starts a process again, on another port. */
  async restart(member: Member): Promise<void> {
    member.running = await this.#launch(member.name);
    if (member.command === 'api') await this.#waitUntilReady(member.running);
  }

  /** Moves the wall clock of a process. */
  shiftClock({ name }: Member, ms: number): void {
    writeFileSync(this.#clockFile(name), String(ms));
  }

  async stop(): Promise<void> {
    for (const member of this.members) this.kill(member);
    await Promise.all(this.members.map(({ running }) => running.role.exited));
  }

  async #add(name: string): Promise<Member> {
    const command = commandOf(name);
    const member = { name, command, running: await this.#launch(name) };
    this.members.push(member);
    return member;
  }

  async #launch(name: string): Promise<RunningMember> {
    const role = startRole({
      command: commandOf(name),
      name,
      port: 0,
      dataDir: join(this.parts.folder, name),
      env: {
        ...environment(this.parts.links),
        CLOCK_SHIFT_FILE: this.#clockFile(name),
        ...(name === ON_REPLICA && { READ_DATABASE_URL: databaseUrl(this.parts.links.replica) }),
      },
      onOutput: (text) => this.#collect(name, text),
    });
    const url = await role.url;
    return { role, url, isReady: false, isEnding: false, newestSlot: 0n };
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
    const added = shown.map((line) => `${name} ${line}\n`).join('');
    this.output = `${this.output}${added}`.slice(-MAX_OUTPUT);
  }
}

const commandOf = (name: string): Member['command'] => (name.startsWith('index') ? 'index' : 'api');

const databaseUrl = ({ port }: FaultProxy): string => `postgres://chaos@127.0.0.1:${port}/postgres`;

const environment = ({ postgres, redis, rpc }: Links) => ({
  PATH: process.env['PATH'] ?? '',
  NODE_OPTIONS: `--import ${shiftClock}`,
  CLUSTER: 'localnet',
  RPC_URL: `http://127.0.0.1:${rpc.port}`,
  WS_URL: `ws://127.0.0.1:${rpc.port}`,
  DATABASE_URL: databaseUrl(postgres),
  REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  RATE_LIMIT: 'off',
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

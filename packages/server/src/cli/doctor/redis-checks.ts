import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { decodePercentEscapes, formatError } from '@tidegate/core/base';
import { type Finding, ok, problem, warning } from './finding.ts';

const DEFAULT_PORT = 6379;
/** Streams with trimming by age. */
const MIN_MAJOR_VERSION = 6;

/** Connects, signs in and reads version, role and memory policy. */
export async function checkRedis(url: string, timeoutMs: number): Promise<readonly Finding[]> {
  const name = 'redis';
  try {
    const [reply, info] = await exchange(new URL(url), timeoutMs);
    if (reply !== '+PONG') {
      const change = 'Check user and password in REDIS_URL.';
      return [problem(name, `It refuses the connection: ${reply?.slice(1)}`, change)];
    }
    return describe(name, info ?? '');
  } catch (error) {
    const change = 'Check that Redis runs, and the address in REDIS_URL.';
    return [problem(name, `It cannot be reached: ${formatError(error)}`, change)];
  }
}

function describe(name: string, info: string): readonly Finding[] {
  const read = (field: string) => new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const version = read('redis_version');
  const findings: Finding[] = [];
  if (Number(version.split('.')[0]) < MIN_MAJOR_VERSION) {
    const message = `Redis ${version || 'of an unknown version'} is too old`;
    findings.push(problem(name, message, `Use Redis ${MIN_MAJOR_VERSION} or later.`));
  }
  if (read('role') === 'slave') {
    findings.push(
      problem(name, 'It is a replica and accepts no writes', 'Use the primary server.'),
    );
  }
  const policy = read('maxmemory_policy');
  if (read('maxmemory') !== '0' && policy.startsWith('allkeys-')) {
    const change = 'Set maxmemory-policy to noeviction or to a volatile policy.';
    findings.push(warning(name, `Redis may delete any key (${policy})`, change));
  }
  return findings.length > 0 ? findings : [ok(name, `Redis ${version} responds.`)];
}

/** The last replies: to PING, or the first error, and to INFO. */
async function exchange(url: URL, timeoutMs: number): Promise<readonly string[]> {
  const socket = openSocket(url);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no data for ${timeoutMs} ms`)));
  try {
    const commands = [...signIn(url), ['PING'], ['INFO']];
    socket.write(commands.map(encode).join(''));
    return await readReplies(socket, commands.length);
  } finally {
    socket.destroy();
  }
}

function openSocket(url: URL): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  const port = Number(url.port || DEFAULT_PORT);
  return url.protocol === 'rediss:'
    ? connectSecure({ host, port, servername: host })
    : connectPlain({ host, port });
}

function signIn({ username, password }: URL): string[][] {
  if (password === '') return [];
  const user = username === '' ? [] : [decodePercentEscapes(username)];
  return [['AUTH', ...user, decodePercentEscapes(password)]];
}

/** A command in the Redis protocol. */
const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

async function readReplies(socket: Socket, count: number): Promise<readonly string[]> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    const replies = parseReplies(text);
    const failed = replies.find((reply) => reply.startsWith('-'));
    if (failed !== undefined) return [failed];
    if (replies.length >= count) return replies.slice(-2);
  }
  throw new Error('the connection was closed');
}

/** Complete replies only: one line, or a text with its length before it. */
function parseReplies(text: string): readonly string[] {
  const replies: string[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n');
    if (end === -1) return replies;
    const line = rest.slice(0, end);
    if (!line.startsWith('$')) {
      replies.push(line);
      rest = rest.slice(end + 2);
      continue;
    }
    const length = Number(line.slice(1));
    const body = rest.slice(end + 2, end + 2 + length);
    if (rest.length < end + 2 + length + 2) return replies;
    replies.push(body);
    rest = rest.slice(end + 2 + length + 2);
  }
}

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../processes/free-port.ts';
import { temporaryFolder } from '../processes/run-tidegate.ts';
import { onTestEnd } from '../processes/test-scope.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { readDeployFile } from './deploy-files.ts';

export type ProxyProcess = {
  /** Of the proxy. */
  readonly url: string;
  /** Standard error of its processes. */
  readonly output: () => string;
};

export type ProxyName = 'nginx' | 'caddy' | 'compose';

const hasProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Whether the sample can be started here, with the program that it is for. */
export const canStart = (name: ProxyName): boolean =>
  name === 'nginx'
    ? ['nginx', 'openssl', 'curl'].every(hasProgram)
    : hasProgram('caddy') && hasProgram('sh');

/** Starts a sample of `deploy` with other addresses and folders, in front of API processes on these two ports. */
export function startProxy(name: ProxyName, ports: readonly [number, number]) {
  return name === 'nginx' ? startNginx(ports) : startCaddy(name, ports);
}

/** Replaces what must be in the text: a sample that changes must not be tested without its addresses. */
function replaceAll(text: string, pairs: readonly (readonly [string | RegExp, string])[]): string {
  return pairs.reduce((current, [from, to]) => {
    const next = current.replaceAll(from, to);
    if (next === current) throw new Error(`the sample has no ${from}`);
    return next;
  }, text);
}

async function startNginx(ports: readonly [number, number]): Promise<ProxyProcess> {
  const folder = temporaryFolder();
  const port = await findFreePort();
  const [certificate, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...subject, ...files], { stdio: 'ignore' });
  const run = `${folder}/run`;
  mkdirSync(run);
  const sample = replaceAll(readDeployFile('nginx/tidegate.conf'), [
    ...portReplacements(ports),
    ['listen 80;', `listen 127.0.0.1:${await findFreePort()};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    [/ *listen \[::\].*\n/g, ''],
    [/\/etc\/letsencrypt\/live\/\S+\/fullchain\.pem/g, certificate],
    [/\/etc\/letsencrypt\/live\/\S+\/privkey\.pem/g, key],
    ['/run/tidegate/', `${run}/`],
  ]);
  writeFileSync(`${folder}/tidegate.conf`, sample);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (part) => `${part}_temp_path ${folder}/${part};`,
  );
  // its workers must reach the folder of the test
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} pid ${folder}/pid; daemon off; error_log stderr notice; worker_processes 1;
    events {} http { access_log off; ${temporary.join(' ')} include ${folder}/tidegate.conf; }`;
  writeFileSync(`${folder}/nginx.conf`, main);
  const checks = fileURLToPath(new URL('../../../deploy/nginx/check-ready.sh', import.meta.url));
  const checker = startProcess(checks, [run, ...ports.map(String)]);
  const nginx = startProcess('nginx', ['-e', 'stderr', '-p', folder, '-c', `${folder}/nginx.conf`]);
  const output = () => `${nginx.output()}${checker.output()}`;
  await waitUntilItAnswers(port, nginx);
  return { url: `https://127.0.0.1:${port}`, output };
}

async function startCaddy(
  name: 'caddy' | 'compose',
  ports: readonly [number, number],
): Promise<ProxyProcess> {
  const folder = temporaryFolder();
  const port = await findFreePort();
  const site = `http://127.0.0.1:${port}`;
  const text = readDeployFile(`${name}/Caddyfile`);
  const sample =
    name === 'caddy'
      ? `{\n\tadmin off\n}\n${replaceAll(text, [...portReplacements(ports), ['api.example.com {', `${site} {`]])}`
      : replaceAll(text, [
          ['api-1:8080', `127.0.0.1:${ports[0]}`],
          ['api-2:8080', `127.0.0.1:${ports[1]}`],
        ]);
  writeFileSync(`${folder}/Caddyfile`, sample);
  const args = ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`];
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_ADDRESS: site };
  const caddy = startProcess('caddy', args, env);
  await waitUntilItAnswers(port, caddy);
  return { url: site, output: caddy.output };
}

const portReplacements = ([first, second]: readonly [number, number]) =>
  [
    ['8081', String(first)],
    ['8082', String(second)],
  ] as const;

type RunningProcess = { readonly child: ChildProcess; readonly output: () => string };

/** A process with its children. It ends with the test. */
function startProcess(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProcess {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    env: { PATH: `${PATH}:/usr/sbin`, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-4_000);
  });
  onTestEnd(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  return { child, output: () => text };
}

async function waitUntilItAnswers(port: number, { child, output }: RunningProcess): Promise<void> {
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${output()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return isOpen;
  }, 'the proxy listens');
}

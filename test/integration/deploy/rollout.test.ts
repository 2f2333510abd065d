import { expect, test } from 'vitest';
import { settings } from '#server/cli/settings/settings.ts';
import {
  listOf,
  readDeployFile,
  readManifests,
  readYaml,
  textOf,
} from '../../support/deploy/deploy-files.ts';

/** Beside the drain. */
const COMPLETION_SECONDS = 10;

test('every proxy asks each API process whether it is ready, twice within a drain', () => {
  const { services = {} } = readYaml('compose/compose.yaml');
  const drainSeconds = Number(settings.drainSeconds.default);
  for (const path of ['caddy/Caddyfile', 'compose/Caddyfile']) {
    const text = readDeployFile(path);
    expect(text).toContain('health_uri /ready');
    // health checks do not apply to addresses that Caddy finds by DNS
    expect(text).not.toContain('dynamic');
    const interval = Number(/health_interval (\d+)s/.exec(text)?.[1]);
    expect(2 * interval).toBeLessThan(drainSeconds);
  }
  const upstreams = /reverse_proxy (.*) \{/.exec(readDeployFile('compose/Caddyfile'))?.[1];
  const apis = Object.keys(services).filter((name) => name.startsWith('api'));
  expect(upstreams?.split(' ')).toEqual(apis.map((name) => `${name}:8080`));

  const nginx = readDeployFile('nginx/tidegate.conf');
  const ports = [...nginx.matchAll(/server 127\.0\.0\.1:(\d+) max_fails=3/g)].map(
    ([, port]) => port,
  );
  expect(ports).toHaveLength(2);
  for (const port of ports) expect(nginx).toContain(`if (-f /run/tidegate/${port}.down)`);
  const checker = readDeployFile('nginx/check-ready.sh');
  expect(checker).toContain('/ready"');
  expect(2 * Number(/^ *sleep (\d+)$/m.exec(checker)?.[1])).toBeLessThan(drainSeconds);
  const unit = readDeployFile('systemd/tidegate-ready.service');
  expect(unit).toContain(`/deploy/nginx/check-ready.sh /run/tidegate ${ports.join(' ')}\n`);
});

test('a supervisor waits longer than a server drains and completes open requests', () => {
  const needed = Number(settings.drainSeconds.default) + COMPLETION_SECONDS;
  const { services = {} } = readYaml('compose/compose.yaml');
  for (const name of ['index', 'api-1', 'api-2']) {
    expect(Number.parseInt(textOf(services[name]?.['stop_grace_period']), 10)).toBeGreaterThan(
      needed,
    );
  }
  for (const role of ['api', 'index']) {
    const [deployment] = readManifests(`kubernetes/${role}.yaml`);
    const pod = deployment?.['spec']?.['template']?.['spec'];
    const seconds = Number(textOf(pod?.['terminationGracePeriodSeconds']));
    expect(seconds).toBeGreaterThan(needed);
  }
  for (const unit of ['tidegate', 'tidegate-api@', 'tidegate-index@']) {
    const text = readDeployFile(`systemd/${unit}.service`);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(needed);
  }
});

/** A full version, or a digest. */
const isPinned = (image: string): boolean =>
  /@sha256:[0-9a-f]{64}$/.test(image) ||
  /:(\d+\.\d+(\.\d+)?|[a-z]+-\d{8})(-[a-z0-9.]+)*$/.test(image);

test('images have exact versions', () => {
  const { services = {} } = readYaml('compose/compose.yaml');
  const dockerfile = readDeployFile('Dockerfile');
  const values = new Map([...dockerfile.matchAll(/^ARG (\w+)=(.*)$/gm)].map(([, n, v]) => [n, v]));
  const used = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+\/\S+)/gm)].map(
    ([, image = '']) => image.replaceAll(/\$\{(\w+)\}/g, (_, name) => values.get(name) ?? ''),
  );
  const [built] = listOf(readYaml('kubernetes/kustomization.yaml')['images']);
  const images = [
    ...used,
    ...Object.values(services).map(({ image }) => textOf(image)),
    `tidegate:${textOf(built?.['newTag'])}`,
  ];
  expect(used).toHaveLength(3);
  expect(images.filter((image) => !isPinned(image))).toEqual([]);
  for (const loose of [
    'caddy',
    'caddy:latest',
    'caddy:2',
    'caddy:2-alpine',
    'node:24-bookworm-slim',
  ]) {
    expect([loose, isPinned(loose)]).toEqual([loose, false]);
  }
});

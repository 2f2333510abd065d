import { existsSync, readdirSync } from 'node:fs';
import { BlockList } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from '#server/cli/settings/settings.ts';
import {
  type Fields,
  listOf,
  readDeployFile,
  readManifests,
  readYaml,
  textOf,
} from '../../support/deploy/deploy-files.ts';

const settingNames: ReadonlySet<string> = new Set(
  Object.values(settings).map(({ env }): string => env),
);
const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const unknownSettings = (names: readonly string[]) =>
  names.filter((name) => !settingNames.has(name));

test('the compose file has the topology, hardened and with settings that exist', () => {
  const { services = {}, networks = {}, volumes = {} } = readYaml('compose/compose.yaml');
  expect(Object.keys(services)).toEqual([
    ...['index', 'api-1', 'api-2', 'proxy', 'postgres', 'redis'],
  ]);
  for (const [name, service] of Object.entries(services)) {
    expect([name, service['security_opt']]).toEqual([name, ['no-new-privileges:true']]);
    expect([name, service['restart']]).toEqual([name, 'unless-stopped']);
    const used = listOf(service['volumes']).map((volume) => textOf(volume).split(':')[0] ?? '');
    for (const volume of used.filter((each) => !each.startsWith('.'))) {
      expect(Object.keys(volumes)).toContain(volume);
    }
    const joined = service['networks'] ?? {};
    for (const network of Array.isArray(joined) ? joined : Object.keys(joined)) {
      expect(Object.keys(networks)).toContain(network);
    }
    const needed = service['depends_on'] ?? {};
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) {
      expect(Object.keys(services)).toContain(other);
    }
  }
  for (const [name, role] of [
    ['index', 'index'],
    ['api-1', 'api'],
    ['api-2', 'api'],
  ] as const) {
    const service = services[name] ?? {};
    expect(service).toMatchObject({ command: [role], read_only: true, cap_drop: ['ALL'] });
    expect(unknownSettings(Object.keys(service['environment'] ?? {}))).toEqual([]);
    expect(service['environment']).toHaveProperty('REDIS_URL');
  }
  expect(services['index']).toMatchObject({ deploy: { replicas: 2 } });
  for (const name of ['postgres', 'redis', 'proxy', 'api-1', 'api-2']) {
    expect(services[name]).toHaveProperty('healthcheck.test');
  }
});

test('the proxy of the compose file is the one that the API trusts', () => {
  const { services = {}, networks = {} } = readYaml('compose/compose.yaml');
  const address = services['proxy']?.['networks']?.['frontend']?.['ipv4_address'];
  for (const api of ['api-1', 'api-2']) {
    expect(services[api]?.['environment']?.['TRUSTED_PROXIES']).toBe(address);
  }
  const [config = {}] = listOf(networks['frontend']?.['ipam']?.['config']);
  const range = (cidr: string): BlockList => {
    const [first = '', bits = ''] = cidr.split('/');
    const list = new BlockList();
    list.addSubnet(first, Number(bits));
    return list;
  };
  const [fixed, gateway] = [textOf(address), textOf(config['gateway'])];
  const assigned = range(textOf(config['ip_range']));
  for (const each of [fixed, gateway]) {
    expect([each, range(textOf(config['subnet'])).check(each)]).toEqual([each, true]);
    // Docker gives addresses of the range to containers in the order of their start
    expect([each, assigned.check(each)]).toEqual([each, false]);
  }
  expect(fixed).not.toBe(gateway);
});

test('the compose file contains no credential and names every variable of its example', () => {
  const text = readDeployFile('compose/compose.yaml');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  const example = readDeployFile('compose/.env.example');
  const documented = [...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  expect([...used].toSorted()).toEqual(documented.toSorted());
  expect(text).toContain('POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?');
});

const kubernetesFiles = readdirSync(`${folder}kubernetes`).filter(
  (name) => name.endsWith('.yaml') && !/^(kustomization|secret\.example)\.yaml$/.test(name),
);
const manifests = kubernetesFiles.flatMap((name) => readManifests(`kubernetes/${name}`));
const ofKind = (kind: string) => manifests.filter((manifest) => textOf(manifest['kind']) === kind);
const podOf = (deployment: Fields) => deployment['spec']?.['template']?.['spec'] ?? {};

/** API version by kind, as Kubernetes 1.21 and later serve them. */
const API_VERSIONS: Readonly<Record<string, string>> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  Namespace: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
  ServiceAccount: 'v1',
};

test('the kustomization applies every manifest except the example of a secret', () => {
  const { resources } = readYaml('kubernetes/kustomization.yaml');
  expect(listOf(resources).map(textOf).toSorted()).toEqual(kubernetesFiles.toSorted());
  expect(manifests.map(({ kind }) => textOf(kind))).not.toContain('Secret');
  for (const manifest of manifests) {
    const kind = textOf(manifest['kind']);
    expect([kind, manifest['apiVersion']]).toEqual([kind, API_VERSIONS[kind]]);
    expect(textOf(manifest['metadata']?.['name'])).toMatch(/^[a-z][a-z0-9-]*$/);
  }
});

test('each deployment has probes, resources, a security context and a disruption budget', () => {
  const deployments = ofKind('Deployment');
  expect(deployments.map(({ metadata }) => textOf(metadata?.['name'])).toSorted()).toEqual([
    'tidegate-api',
    'tidegate-index',
  ]);
  for (const deployment of deployments) {
    const { selector, template } = deployment['spec'] ?? {};
    expect(template?.['metadata']?.['labels']).toEqual(selector?.['matchLabels']);
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => spec?.['selector']);
    expect(budgets).toContainEqual(selector);
    const pod = podOf(deployment);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container = {}] = listOf(pod['containers']);
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      startupProbe: { httpGet: { path: '/health', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health', port: 'http' } },
    });
    for (const kind of ['requests', 'limits']) {
      expect(container['resources']?.[kind]).toHaveProperty('memory');
    }
    const volumes = listOf(pod['volumes']).map(({ name }) => textOf(name));
    const mounts = listOf(container['volumeMounts']).map(({ name }) => textOf(name));
    expect(mounts).toEqual(volumes);
  }
  const probes = deployments.map(
    (each) => listOf(podOf(each)['containers'])[0]?.['readinessProbe']?.['httpGet']?.['path'],
  );
  expect(probes.map(textOf).toSorted()).toEqual(['/health', '/ready']);
});

test('the service selects the pods of the API, and settings exist', () => {
  const [service = {}] = ofKind('Service');
  const api = ofKind('Deployment').find(
    ({ metadata }) => textOf(metadata?.['name']) === 'tidegate-api',
  );
  expect(service['spec']?.['selector']).toEqual(api?.['spec']?.['selector']?.['matchLabels']);
  const [config = {}] = ofKind('ConfigMap');
  const [secret = {}] = readManifests('kubernetes/secret.example.yaml');
  const names = [...Object.keys(config['data'] ?? {}), ...Object.keys(secret['stringData'] ?? {})];
  expect(unknownSettings(names)).toEqual([]);
});

test('systemd units start one role each, hardened', () => {
  const roles = {
    'tidegate.service': 'serve',
    'tidegate-index@.service': 'index',
    'tidegate-api@.service': 'api',
  };
  for (const [name, role] of Object.entries(roles)) {
    const unit = readDeployFile(`systemd/${name}`);
    expect(unit).toMatch(new RegExp(`^ExecStart=/usr/bin/node .*/tidegate\\.js ${role}$`, 'm'));
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
      expect(unit.split('\n')).toContain(line);
    }
    const assigned = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) =>
      list.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    );
    expect(unknownSettings(assigned)).toEqual([]);
  }
  const example = readDeployFile('systemd/tidegate.env.example');
  const names = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(unknownSettings(names)).toEqual([]);
});

test('the image copies what exists, runs without root and sets settings that exist', () => {
  const text = readDeployFile('Dockerfile');
  const [, final = ''] = /\n(FROM docker\.io\/library\/debian[\s\S]*)$/.exec(text) ?? [];
  expect(final).toContain('\nUSER 10001:10001\n');
  expect(final).toContain('\nHEALTHCHECK ');
  expect(text).toContain('npm ci --omit=dev --ignore-scripts');
  const environment = [...final.matchAll(/(?:^ENV| {4})(?: ?)([A-Z_]+)=/gm)].map(([, n = '']) => n);
  expect(environment).toContain('DATA_DIR');
  expect(unknownSettings(environment).toSorted()).toEqual(['NODE_ENV', 'NODE_OPTIONS']);
  const copied = [...text.matchAll(/^COPY (?:--from=build )?(.*) \S+$/gm)]
    .flatMap(([, list = '']) => list.split(' '))
    .map((path) => path.replace(/^\/src\//, ''))
    .filter((path) => !path.startsWith('--') && path !== '/usr/local/bin/node' && path !== '.');
  const repository = fileURLToPath(new URL('../../../', import.meta.url));
  expect(copied.filter((path) => !existsSync(`${repository}${path}`))).toEqual([]);
});

test('proxies forward the address of the caller and leave compression to the server', () => {
  const nginx = readDeployFile('nginx/tidegate.conf');
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(nginx).toContain('gzip off;');
  for (const path of ['caddy/Caddyfile', 'compose/Caddyfile']) {
    expect(readDeployFile(path)).not.toMatch(/^\s*encode\b/m);
    expect(readDeployFile(path)).toContain('keepalive 60s');
  }
});

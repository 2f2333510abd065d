import { expect, test } from 'vitest';
import { readConfig } from '../../cli/settings/settings.ts';
import { resolveEnvAliases } from './env-aliases.ts';

const resolve = (env: Record<string, string>) => [...resolveEnvAliases(readConfig({}, env))];

const RPC = { RPC_URL: 'http://localhost:1' };

test('no alias is set by default', () => {
  expect(resolve({})).toEqual([]);
});

test('a name alone is an alias of the primary cluster', () => {
  expect(resolve({ ENV_ALIASES: ' mainnet-beta, devnet,' })).toEqual([
    ['mainnet-beta', 'localnet'],
    ['devnet', 'localnet'],
  ]);
  expect(resolve({ ...RPC, CLUSTER: 'devnet', ENV_ALIASES: 'mainnet-beta' })).toEqual([
    ['mainnet-beta', 'devnet'],
  ]);
});

test('a pair names the cluster', () => {
  const served = { RPC_URL_DEVNET: 'http://localhost:2' };
  expect(resolve({ ...served, ENV_ALIASES: 'mainnet-beta=devnet' })).toEqual([
    ['mainnet-beta', 'devnet'],
  ]);
  expect(resolve({ ...served, ENV_ALIASES: 'mainnet-beta=localnet' })).toEqual([
    ['mainnet-beta', 'localnet'],
  ]);
});

test.each([
  [{ ENV_ALIASES: 'localnet' }, 'localnet'],
  [{ ...RPC, ENV_ALIASES: 'mainnet-beta' }, 'mainnet-beta'],
  [{ RPC_URL_MAINNET: 'http://localhost:2', ENV_ALIASES: 'mainnet-beta' }, 'mainnet-beta'],
  [{ RPC_URL_DEVNET: 'http://localhost:2', ENV_ALIASES: 'mainnet-beta,devnet' }, 'devnet'],
])('the name of a served cluster is rejected: %j', (env, name) => {
  expect(() => resolve(env)).toThrow(
    `ENV_ALIASES is "${env.ENV_ALIASES}". It accepts no name of a served cluster, and ${name} is served.`,
  );
});

test('an alias of a cluster that is not served is rejected', () => {
  expect(() => resolve({ ENV_ALIASES: 'mainnet-beta=devnet' })).toThrow(
    'ENV_ALIASES is "mainnet-beta=devnet". It accepts aliases of served clusters only, and devnet is not served.',
  );
});

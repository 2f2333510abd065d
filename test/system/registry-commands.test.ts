import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTidegate, temporaryFolder } from '../support/processes/run-tidegate.ts';

const MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const VAULT = '67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy';

function writeRegistry(content: string): string {
  const file = join(temporaryFolder(), 'registry.json');
  writeFileSync(file, content);
  return file;
}

type Printed = {
  readonly markets: readonly Readonly<Record<string, unknown>>[];
  readonly privateCreditVaults: readonly string[];
};

test('registry print writes the effective registry, which registry check accepts', async () => {
  const REGISTRY = writeRegistry(
    JSON.stringify({
      markets: [{ address: MAIN_MARKET, description: 'Ours' }],
      privateCreditVaults: [VAULT],
    }),
  );
  const { code, out, err } = await runTidegate(['registry', 'print'], { REGISTRY });
  expect([code, err]).toEqual([0, '']);
  const printed = JSON.parse(out) as Printed;
  expect(printed.markets).toHaveLength(33);
  expect(printed.markets[0]).toMatchObject({ name: 'Main Market', description: 'Ours' });
  expect(printed.privateCreditVaults).toContain(VAULT);
  expect(await runTidegate(['registry', 'check', writeRegistry(out)])).toEqual({
    code: 0,
    out: 'registry.json is valid.\n',
    err: '',
  });
});

test('registry print of a cluster without a built-in registry has empty sections', async () => {
  const { out } = await runTidegate(['registry', 'print', '--cluster', 'devnet']);
  expect(JSON.parse(out)).toMatchObject({ markets: [], tokens: [], stakePools: {}, seasons: [] });
});

test('registry check writes a line for each problem and fails', async () => {
  const file = writeRegistry(
    JSON.stringify({ markets: [{ address: 'x' }], stakePools: { [VAULT]: 5 }, token: [] }),
  );
  expect(await runTidegate(['registry', 'check', file])).toEqual({
    code: 1,
    out: [
      'token is unknown; known fields: $schema, replaceBuiltIn, markets, tokens, stakePools, vaults, privateCreditVaults, tokenLabels, seasons',
      'markets[0].address must be an address',
      'markets[0].programId must be an address',
      'markets[0].name must be a string',
      `stakePools.${VAULT} must be an address`,
      '',
    ].join('\n'),
    err: 'tidegate: The registry registry.json is invalid: it has 5 problems. Fix the file.\n',
  });
});

test('names in a document do not write to the terminal or forge a line', async () => {
  const name = '\u001b[2J\u009b31m\n\u202eregistry.json is valid.';
  const file = writeRegistry(JSON.stringify({ [name]: 1 }));
  const { code, out } = await runTidegate(['registry', 'check', file]);
  expect(code).toBe(1);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(
      /^\\u001b\[2J\\u009b31m\\u000a\\u202eregistry\.json is valid\. is unknown; /,
    ),
    '',
  ]);
  const REGISTRY = file;
  const { err } = await runTidegate(['registry', 'print'], { REGISTRY });
  expect(err).toMatch(/^tidegate: [ -~]+\n$/);
});

test('registry check of a file that is missing or not JSON is one line', async () => {
  for (const file of [join(temporaryFolder(), 'none.json'), writeRegistry('{')]) {
    const { code, out, err } = await runTidegate(['registry', 'check', file]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^tidegate: The registry \w+\.json is invalid: it cannot be read as JSON \(.+\)\. Fix the file\.\n$/,
    );
  }
});

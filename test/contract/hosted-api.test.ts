import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostedApiLines } from '../../scripts/hosted-api.ts';
import { readServedDocument } from '../../scripts/openapi/served-document.ts';

type Paths = Record<string, Record<string, { readonly operationId: string }>>;

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

const served = async () => structuredClone((await readServedDocument()).paths) as unknown as Paths;

test('the page has each path of the documents once, with an answer', async () => {
  const rows = hostedApiLines(await served()).filter((line) => /^\| `[A-Z]+ \//.test(line));
  for (const name of ['core', 'extended']) {
    const { paths } = JSON.parse(read(`${name}.openapi.json`)) as { readonly paths: Paths };
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        const start = `| \`${method.toUpperCase()} ${path}\` | `;
        const found = rows.filter((row) => row.startsWith(start));
        expect(found, start).toHaveLength(1);
        expect(found[0]?.slice(start.length)).toMatch(/^(same|different|not served) \| .+ \|$/);
      }
    }
  }
});

test('the counts of the page are those of its rows', async () => {
  const lines = hostedApiLines(await served());
  const rows = lines.filter((line) => /^\| `[A-Z]+ \//.test(line));
  const count = (answer: string) => rows.filter((row) => row.includes(` | ${answer} | `)).length;
  expect(lines).toContain(
    `Of ${rows.length} paths ${count('same')} are the same, ${count('different')} differ, and ${count('not served')} are not served.`,
  );
});

test('a path that is served no more needs a reason', async () => {
  const paths = await served();
  delete paths['/kvaults/vaults'];
  expect(() => hostedApiLines(paths)).toThrow('GET /kvaults/vaults is not served without a reason');
});

test('a path that is served needs no reason any more', async () => {
  const paths = await served();
  paths['/v2/airdrop/metrics'] = { get: { operationId: 'listAirdropTotals' } };
  expect(() => hostedApiLines(paths)).toThrow('GET /v2/airdrop/metrics is served');
});

test('a difference of an operation that is gone, and an alias of no path, are named', async () => {
  const paths = await served();
  delete paths['/klend/loans/{pubkey}'];
  expect(() => hostedApiLines(paths)).toThrow('about no path: getLoan');
  const others = await served();
  delete others['/v2/svc-market'];
  expect(() => hostedApiLines(others)).toThrow('about no path: /v2/svc-market');
});

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readGolden } from '../support/golden/golden.ts';

const root = new URL('../../', import.meta.url);
const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

type ExpectedFile = {
  markets: { reserves: { address: string; borrowApy: number; supplyApy: number }[] }[];
};

test('the documented example decodes a reserve from base64 and prints its APYs', () => {
  const lines = run('docs/examples/reserve-apy.js').trim().split('\n');
  const values = new Map(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/\s{2,}/);
      return [name, value];
    }),
  );
  const { markets } = readGolden('expected.json') as ExpectedFile;
  const sdk = markets[0]?.reserves.find(({ address }) => address.startsWith('EFgyTYM3'));
  expect(values.get('reserve')).toBe('USDC');
  expect(values.get('available')).toBe('17779773.68');
  expect(Number(values.get('borrow APY'))).toBeCloseTo(sdk?.borrowApy ?? 0, 7);
  expect(Number(values.get('supply APY'))).toBeCloseTo(sdk?.supplyApy ?? 0, 7);
});

test('bytes of another format fail with an error code', () => {
  expect(() => run('docs/examples/reserve-apy.js', 'package.json')).toThrow(
    /MALFORMED_DATA|malformed/,
  );
});

test('the entries of the library load by package name without the server', () => {
  const script = `
    const { klend, kvault, farms, scope, spl } = await import('@tidegate/core/protocol');
    const { viewTransaction } = await import('@tidegate/core/views');
    const builders = await import('@tidegate/core/builders');
    console.log([klend, kvault, farms, scope, spl].map((program) => typeof program.accounts).join());
    console.log(typeof viewTransaction);
    console.log(Object.keys(builders).filter((name) => typeof builders[name].build === 'function').sort().join());
    console.log(typeof builders.compileTransaction, typeof builders.ClusterState);
  `;
  expect(run('--input-type=module', '--eval', script)).toBe(
    [
      'object,object,object,object,object',
      'function',
      'borrowBuilder,claimBuilder,deleverageBuilder,depositBuilder,liquidationBuilder,multiplyBuilder,repayBuilder,vaultDepositBuilder,vaultWithdrawBuilder,withdrawBuilder',
      'function function',
      '',
    ].join('\n'),
  );
});

test('layouts decode the same where the runtime forbids code generation from strings', () => {
  const script = `
    const { klend, decodeBase64 } = await import('@tidegate/core/protocol');
    const { readFileSync } = await import('node:fs');
    const data = decodeBase64(readFileSync('docs/examples/reserve.base64', 'utf8').trim());
    const account = { owner: klend.KLEND_PROGRAM, data };
    const { reserve } = klend.accounts;
    console.log(reserve.decode(account).liquidity.totalAvailableAmount);
    console.log(reserve.view(account).liquidity.totalAvailableAmount);
  `;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module'];
  expect(run(...flags, '--eval', script)).toBe('17779773680000n\n17779773680000n\n');
});

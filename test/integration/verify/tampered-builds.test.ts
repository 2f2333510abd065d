import { expect, test } from 'vitest';
import { verifyTransaction } from '#client/verify/index.ts';
import { accountTamperings } from '../../support/verify/account-tamperings.ts';
import { amountTamperings } from '../../support/verify/amount-tamperings.ts';
import { exampleBuilds } from '../../support/verify/example-builds.ts';
import { instructionTamperings } from '../../support/verify/instruction-tamperings.ts';
import { messageTamperings } from '../../support/verify/message-tamperings.ts';
import type { Tampering } from '../../support/verify/tampering.ts';
import { wireOf } from '../../support/verify/verified-build.ts';

const tamperings: readonly Tampering[] = [
  ...amountTamperings,
  ...accountTamperings,
  ...instructionTamperings,
  ...messageTamperings,
];

const MAX_BYTES = 1232;

const builds = await exampleBuilds();

test('at least 40 kinds of tampering are tried', () => {
  const names = new Set(tamperings.map(({ name }) => name));
  expect(names.size).toBe(tamperings.length);
  expect(names.size).toBeGreaterThanOrEqual(40);
});

test.each(tamperings)('$name: rejected with its reason', async (tampering) => {
  const { codes, verdict: expected = 'rejected', tamper } = tampering;
  let tried = 0;
  for (const build of builds) {
    const tampered = tamper(build);
    // what does not fit into a packet cannot be sent
    if (tampered === undefined || tampered.transaction.length > MAX_BYTES) continue;
    tried += 1;
    const { verdict, reasons } = await verifyTransaction({
      ...tampered,
      chainData: build.chainData,
    });
    const found = reasons.map(({ code }) => code);
    const label = `${build.name}: ${JSON.stringify(reasons)}`;
    expect(verdict, label).toBe(expected);
    expect(
      codes.some((code) => found.includes(code)),
      label,
    ).toBe(true);
  }
  expect(tried).toBeGreaterThan(0);
});

test('the builds themselves are accepted', async () => {
  for (const build of builds) {
    const { request, chainData } = build;
    const lookupTables = Object.fromEntries(
      build.lookupTables.map(({ address, addresses }) => [address, addresses]),
    );
    const transaction = wireOf(build);
    const result = await verifyTransaction({ request, transaction, lookupTables, chainData });
    expect({ name: build.name, ...result }).toMatchObject({ verdict: 'accepted', reasons: [] });
  }
});
